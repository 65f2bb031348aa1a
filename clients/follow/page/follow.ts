// Follows experiments, tunings and trainings: all of them in a list, or at an address with ?show=NAME one of them.

import { keepTellingAges } from "./ages";
import { ExperimentPage } from "./experiment_page";
import { ListPage } from "./list_page";

const name = new URLSearchParams(location.search).get("show");
if (name === null) new ListPage();
else new ExperimentPage(name);
keepTellingAges();
