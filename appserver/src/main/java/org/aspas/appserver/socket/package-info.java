/**
 * The port of binary sessions, for clients in a hurry: TCP with frames behind their lengths, on Netty. A connection shows by its
 * first bytes that it is one ({@code Preface}); {@code FrameReader} cuts what comes into frames, and {@code SessionChannel}
 * gives them to a {@link org.aspas.appserver.conversation.Conversation}, as {@link org.aspas.appserver.http} does with those of a
 * WebSocket. {@link org.aspas.appserver.socket.SessionPort} binds the port.
 *
 * <p>Everything of one connection happens on its event loop, but for what the core sends, which waits in a queue.
 */
@NullMarked
package org.aspas.appserver.socket;

import org.jspecify.annotations.NullMarked;
