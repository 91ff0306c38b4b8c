// A control that is replaced while it is pressed takes no click: the press and the release meet different elements.

/**
 * @param place the element whose controls `draw` replaces; none where the page has none
 * @param draw draws a screen
 * @returns a function that draws a screen at once, or when what is pressed in `place` has been let go; of several the newest
 */
export function drawnWhenLetGo(place, draw) {
  let isPressed = false;
  let waiting = null;
  const press = () => { isPressed = true; };
  // The click comes with the release, and is taken before what waits is drawn.
  const letGo = () => setTimeout(() => {
    isPressed = false;
    const screen = waiting;
    waiting = null;
    if (screen) draw(screen);
  });
  place?.addEventListener("pointerdown", (event) => { if (event.button === 0) press(); });
  place?.addEventListener("keydown", (event) => { if (event.key === " ") press(); });
  for (const end of ["pointerup", "pointercancel", "contextmenu", "keyup", "blur"]) addEventListener(end, letGo);
  return (screen) => {
    if (!isPressed) draw(screen);
    else if (!waiting || screen.revision > waiting.revision || screen.session !== waiting.session) waiting = screen;
  };
}
