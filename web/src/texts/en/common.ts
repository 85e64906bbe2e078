// What many parts of the page say.

export const loading = "Loading…";
export const goToLobby = "Go to the lobby";
