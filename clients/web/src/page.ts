document.body.append("Pitboss");
