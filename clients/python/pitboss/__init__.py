"""What Pitboss does in Python: it learns networks from games of self-play (`pitboss.learn`), and
evaluates positions for searches elsewhere (`pitboss.evaluator`)."""
