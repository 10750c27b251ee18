package org.aspas.appserver.net;

import java.time.Duration;

/**
 * The bounds of conversations, whatever carries them.
 *
 * @param maxFrameBytes the largest frame of a client, in bytes; at least 1
 * @param maxRequestBytes the largest payload of a client's signed request or session record, in bytes; at least 1
 * @param maxAnswerBytes the largest message to a client, in bytes; a read whose answer is larger is refused; at least 1
 * @param clientQueue how many messages may wait for one client before its connection is closed; at least 1
 * @param clientQueueBytes how many bytes may wait for one client before its connection is cut; at least 1
 * @param allQueueBytes how many bytes may wait for all clients together before the connection for which most wait is cut
 * @param framesInFlight how many frames of one connection may wait for the core before the connection is read no
 *     further, if there are no others lately: else it has its share of them, and one at least; at least 1
 * @param allFrameBytes how many bytes of frames of all connections together may wait for the core before no connection
 *     is read further than one frame more
 * @param maxConnections how many connections may be open at once; at least 1
 * @param maxSessionless how many of them may be without a session; for one more, the one that has been idle longest is
 *     ended, of the address that has most of them; at least 1
 * @param frameTimeout how long one frame may take to arrive; above zero
 */
public record ConversationLimits(
        int maxFrameBytes,
        int maxRequestBytes,
        int maxAnswerBytes,
        int clientQueue,
        int clientQueueBytes,
        int allQueueBytes,
        int framesInFlight,
        int allFrameBytes,
        int maxConnections,
        int maxSessionless,
        Duration frameTimeout) {}
