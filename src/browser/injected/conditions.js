// Page states as conditions: several questions in one call, so that all answers are from the same moment.

/** Each question is answered on its own: what one selector lacks is no fault of the others. */
function look(arg) {
  const answers = arg.questions.map(answerOf);
  return { status: "ok", answers, missed: answers.some(isMiss) };
}

function isMiss({ status, count, detail }) {
  return status === "none" || count === 0 || detail === null;
}

function answerOf(question) {
  try {
    return answerNow(question);
  } catch (error) {
    return resultOf(error);
  }
}

function answerNow(question) {
  switch (question.what) {
    case "title":
      return { status: "ok", value: document.title };
    case "count":
      return count(question);
    case "state":
      return stateNow(question);
  }
  return read(question);
}

/** Unlike waiting, a condition counts any visible match, and asks for other states of exactly one element. */
function stateNow(question) {
  const wanted = question.state;
  if (wanted === "visible" || wanted === "hidden") {
    const found = resolve(question.selector);
    const shown = found.find(isVisible);
    const satisfied = (shown !== undefined) === (wanted === "visible");
    const detail = found.length ? `${describe(shown ?? found[0])}, ${shown ? "visible" : "hidden"}` : null;
    return { status: "ok", satisfied, detail };
  }
  const element = retargetForState(theElement(question), wanted);
  const satisfied = STATE_TESTS[wanted](element);
  return { status: "ok", satisfied, detail: `${describe(element)}${satisfied ? "" : `, not ${wanted}`}` };
}
