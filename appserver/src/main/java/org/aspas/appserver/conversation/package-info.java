/**
 * What a server and one connected client say to each other, whatever carries it: frames come in, messages go out. A {@link
 * org.aspas.appserver.conversation.Conversation} decodes frames and verifies the client's signature before the core is asked
 * for anything; a client that offends waits ({@code Tarpit}), and one that does not read is cut. What waits is bounded in bytes
 * in both directions, for all clients together ({@code IncomingBytes}, {@code OutgoingBytes}), and clients take turns ({@code
 * Turns}).
 *
 * <p>The doors are {@code org.aspas.appserver.http}, for WebSockets, and {@code org.aspas.appserver.socket}.
 */
@NullMarked
package org.aspas.appserver.conversation;

import org.jspecify.annotations.NullMarked;
