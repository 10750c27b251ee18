package org.aspas.bftcluster.replica;

import bftsmart.tom.MessageContext;
import bftsmart.tom.ReplicaContext;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.server.Replier;

/** Tells this process of executed requests, where the library would send an answer to a client's connection. */
final class LocalReplier implements Replier {
    private final Containment.Executions executions;

    LocalReplier(Containment.Executions executions) {
        this.executions = executions;
    }

    @Override
    public void setReplicaContext(ReplicaContext context) {
        // Answers do not go through the library.
    }

    @Override
    public void manageReply(TOMMessage request, MessageContext context) {
        byte[] command = request.getContent();
        byte[] answer = request.reply.getContent();
        executions.executed(
                request.getSender(),
                request.getSession(),
                request.getSequence(),
                command == null ? new byte[0] : command,
                answer == null ? new byte[0] : answer);
    }
}
