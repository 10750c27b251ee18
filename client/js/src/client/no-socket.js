/** In place of socket.js where there are no sockets ("imports" in package.json): bundles for browsers. */
export const openSocket = null;
