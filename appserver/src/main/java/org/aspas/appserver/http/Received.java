package org.aspas.appserver.http;

import org.aspas.appserver.conversation.Conversation;
import org.jspecify.annotations.Nullable;

/**
 * One WebSocket message as it arrived, before its bytes are looked at.
 *
 * @param bytes those of a binary message within the limit; else empty
 * @param fault why it is no frame; null for one
 */
record Received(byte[] bytes, Conversation.@Nullable Fault fault) {
    static final Received TEXT = new Received(new byte[0], Conversation.Fault.TEXT);
    static final Received OVERSIZED = new Received(new byte[0], Conversation.Fault.OVERSIZED);
    static final Received BROKEN = new Received(new byte[0], Conversation.Fault.BROKEN);
}
