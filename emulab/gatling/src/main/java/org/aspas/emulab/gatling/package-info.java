/**
 * The social feed as a Gatling simulation: {@code ./aspas gatling}. Every request and every response time is Gatling's own,
 * so that its figures check those of {@code ./aspas bench}, whose load generator is another one.
 *
 * <p>{@link org.aspas.emulab.gatling.GatlingCommand} reads the options, starts servers if none are named, lets Gatling run
 * {@link org.aspas.emulab.gatling.FeedSimulation}, and reads the figures from the log that Gatling wrote. {@code HttpScript}
 * says what a user does over the JSON API, {@code WebSocketScript} what it does over the clients' protocol. There each
 * virtual user has a {@code VirtualClient}: the client library's pure core, which signs what Gatling sends and verifies what
 * Gatling receives. A check of Gatling's fails, and its request is KO, when the core finds the answer wrong.
 *
 * <p>The module has a class path of its own: Gatling's Netty and Scala never meet those of the servers. It stands on the
 * client library and what that stands on, and sees no server code.
 */
@NullMarked
package org.aspas.emulab.gatling;

import org.jspecify.annotations.NullMarked;
