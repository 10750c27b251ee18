package org.aspas.bftcluster.replica;

import bftsmart.tom.MessageContext;
import bftsmart.tom.ReplicaContext;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.server.Replier;
import org.jspecify.annotations.Nullable;

/**
 * Sends answers as soon as the replica can send. The library's own replier waits for that on the delivery thread, and
 * can wait for ever when a decision arrives while the replica is being made; an answer that is dropped here is only asked
 * for again.
 */
final class DirectReplier implements Replier {
    private volatile @Nullable ReplicaContext context;

    @Override
    public void setReplicaContext(ReplicaContext replicaContext) {
        context = replicaContext;
    }

    @Override
    public void manageReply(TOMMessage request, MessageContext unused) {
        ReplicaContext known = context;
        if (known != null) {
            known.getServerCommunicationSystem().send(new int[] {request.getSender()}, request.reply);
        }
    }
}
