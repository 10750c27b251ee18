/**
 * The client library for applications. {@link org.aspas.client.api.AspasClient} is the entry point.
 *
 * <pre>{@code
 * try (AspasClient client = AspasClient.connect(Path.of("lab"), "alice")) {
 *     Update like = client.counter("likes/42").increment(1);
 *     like.answered().thenAccept(answer -> ...);      // one round trip
 *     like.confirmed().thenAccept(confirmation -> ...); // a verified certificate covers it
 * }
 * }</pre>
 *
 * <p>A client keeps its unconfirmed updates in a record, from which its next run sends them again. To connect, name the folder of a
 * deployment and the client, or give a {@link org.aspas.client.api.ClientStateStore}, or declare the key ephemeral.
 *
 * <p>{@link org.aspas.client.api.Counter} and {@link org.aspas.client.api.TypedSet} return Java types, and {@link
 * org.aspas.client.api.Counter#watch} follows the live and the certified value of an object. {@code within} gives one handle a deadline,
 * and {@link org.aspas.client.api.ClientOptions#withDeadlines} sets deadlines for all updates.
 *
 * <p>When its server lies, withholds or fails, a client moves to another one. {@code client.events(...)} reports what was confirmed,
 * revoked and resubmitted and which values the client rolled back to, and {@code ClientOptions.withOnRevoked} lets the application undo
 * what it showed. {@link org.aspas.client.api.AspasClient#moveTo} chooses a server, for example for users who travel.
 *
 * <p>Everything is asynchronous, bounded and safe for use by several threads. Stages complete on a shared executor, so blocking code
 * belongs in {@code ...Async} stages. A stage fails with an {@link org.aspas.client.api.AspasException}. Dependent stages wrap it, as
 * usual in the JDK; {@link org.aspas.client.api.AspasException#in} unwraps it.
 */
@NullMarked
package org.aspas.client.api;

import org.jspecify.annotations.NullMarked;
