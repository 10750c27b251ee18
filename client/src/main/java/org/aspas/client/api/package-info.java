/**
 * The client library: what applications call.
 *
 * <pre>{@code
 * try (AspasClient client = AspasClient.connect(descriptor, key, 0, ClientOptions.defaults())) {
 *     Update like = client.counter("likes/42").increment(1);
 *     like.answered().thenAccept(answer -> ...);      // one round trip
 *     like.confirmed().thenAccept(confirmation -> ...); // a verified certificate covers it
 * }
 * }</pre>
 *
 * <p>A client leaves a server that lies, withholds or is gone, and goes on at another one; {@code client.events(...)} tells
 * what was confirmed, revoked, rolled back to and resubmitted, and {@code ClientOptions.withOnRevoked} undoes what the
 * application showed.
 *
 * <p>Everything is asynchronous, bounded and safe for use by several threads. Stages complete on a shared executor:
 * code that blocks belongs into {@code ...Async} stages. A stage fails with an {@link org.aspas.client.api.AspasException}.
 */
@NullMarked
package org.aspas.client.api;

import org.jspecify.annotations.NullMarked;
