// Who guides a learner through a lesson.
export function Guide() {
  return null;
}
