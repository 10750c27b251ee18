package org.aspas.appserver.http;

import akka.stream.BoundedSourceQueue;
import akka.stream.QueueOfferResult;
import org.aspas.appserver.conversation.Outbound;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The outgoing side of a WebSocket: a bounded queue of Akka's. Thread-safe. */
record StreamOutbound(BoundedSourceQueue<byte[]> queue) implements Outbound {
    private static final Logger LOG = LoggerFactory.getLogger(StreamOutbound.class);

    @Override
    public boolean offer(byte[] message) {
        return queue.offer(message) != QueueOfferResult.dropped();
    }

    @Override
    public void complete() {
        unlessGone(queue::complete);
    }

    @Override
    public void fail() {
        unlessGone(() -> queue.fail(new SlowClientException()));
    }

    private static void unlessGone(Runnable end) {
        try {
            end.run();
        } catch (IllegalStateException completedAlready) {
            LOG.trace("a WebSocket was gone before its queue was completed");
        }
    }
}
