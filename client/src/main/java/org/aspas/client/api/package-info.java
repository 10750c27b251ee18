/**
 * The client library: what applications call.
 *
 * <pre>{@code
 * try (AspasClient client = AspasClient.connect(Path.of("lab"), "alice")) {
 *     Update like = client.counter("likes/42").increment(1);
 *     like.answered().thenAccept(answer -> ...);      // one round trip
 *     like.confirmed().thenAccept(confirmation -> ...); // a verified certificate covers it
 * }
 * }</pre>
 *
 * <p>A client keeps what is unconfirmed in a record, and its next start sends it again. So it begins with the folder of a deployment and
 * a name, with a {@link org.aspas.client.api.ClientStateStore}, or with the word that its key is ephemeral.
 *
 * <p>{@link org.aspas.client.api.Counter} and {@link org.aspas.client.api.TypedSet} have values of Java types; {@link
 * org.aspas.client.api.Counter#watch} follows both values of an object. {@code within} gives a handle a deadline, and {@link
 * org.aspas.client.api.ClientOptions#withDeadlines} all updates.
 *
 * <p>A client leaves a server that lies, withholds or is gone, and goes on at another one; {@code client.events(...)} tells
 * what was confirmed, revoked, rolled back to and resubmitted, and {@code ClientOptions.withOnRevoked} undoes what the
 * application showed. {@link org.aspas.client.api.AspasClient#moveTo} chooses a server, for example for users who travel.
 *
 * <p>Everything is asynchronous, bounded and safe for use by several threads. Stages complete on a shared executor:
 * code that blocks belongs into {@code ...Async} stages. A stage fails with an {@link org.aspas.client.api.AspasException}, which
 * dependent stages wrap as the JDK does: {@link org.aspas.client.api.AspasException#in} finds it.
 */
@NullMarked
package org.aspas.client.api;

import org.jspecify.annotations.NullMarked;
