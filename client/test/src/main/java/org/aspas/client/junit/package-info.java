/**
 * JUnit support for tests of applications. {@link org.aspas.client.junit.AspasExtension} starts appservers and bftservers in the test's
 * process, on real loopback sockets, and stops them afterwards. Nothing is simulated, so a test sees the same answers and certificates as
 * production, servers that stop, and on request one that attacks.
 *
 * <pre>{@code
 * class LikesTest {
 *     @RegisterExtension
 *     static final AspasExtension ASPAS = AspasExtension.cluster();
 *
 *     @Test
 *     void counts() throws Exception {
 *         AspasClient client = ASPAS.client(ClientOptions.defaults());
 *         client.counter("likes/42").increment(1).confirmed().toCompletableFuture().get(30, SECONDS);
 *     }
 * }
 * }</pre>
 */
@NullMarked
package org.aspas.client.junit;

import org.jspecify.annotations.NullMarked;
