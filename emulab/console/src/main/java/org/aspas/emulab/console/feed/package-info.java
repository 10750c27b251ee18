/**
 * The events that a console sends to its pages. {@link org.aspas.emulab.console.feed.ConsoleState} keeps the newest state and passes each
 * event to every {@link org.aspas.emulab.console.feed.EventStream}, which is bounded. The module's README.md describes the format.
 *
 * <h2>Actions</h2>
 *
 * {@link org.aspas.emulab.console.feed.ConsoleBackend} is the system behind the console's HTTP server: a running demo, or a deployment
 * of processes.
 *
 * <h2>The server</h2>
 *
 * {@link org.aspas.emulab.console.feed.ConsoleServer} serves the page's files, server-sent events, proofs to download, and actions, on the
 * loopback interface and behind a random token. It uses the JDK's HTTP server with one thread for each open page, because there are few.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.console.feed;
