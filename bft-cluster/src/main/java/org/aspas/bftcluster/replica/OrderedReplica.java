package org.aspas.bftcluster.replica;

import bftsmart.reconfiguration.ServerViewController;
import bftsmart.tom.ServiceReplica;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import bftsmart.tom.leaderchange.CertifiedDecision;
import bftsmart.tom.server.defaultservices.DefaultReplier;
import org.jspecify.annotations.Nullable;

/**
 * A library replica that treats every decided request as an ordinary command, whatever type and view its sender wrote on
 * it. The library would throw on some types, which loses the rest of the batch on this replica, and would stop for ever
 * on a reconfiguration; there is no reconfiguration here, and the machine judges a command by its own signature.
 */
final class OrderedReplica extends ServiceReplica {
    private static final int ONLY_VIEW = 0;

    private final CancellableStateManager states;

    OrderedReplica(ServerViewController views, RecoverableMachine machine) {
        super(views, machine, machine, null, new DefaultReplier());
        this.states = machine.states();
    }

    @Override
    public void receiveMessages(
            int[] instances, int[] regencies, int[] leaders, CertifiedDecision[] decisions, TOMMessage[][] requests) {
        boolean reconfiguration = false;
        for (TOMMessage[] batch : requests) {
            for (int i = 0; i < batch.length; i++) {
                reconfiguration |= batch[i].getReqType() == TOMMessageType.RECONFIG;
                batch[i] = asCommand(batch[i]);
            }
        }
        super.receiveMessages(instances, regencies, leaders, decisions, requests);
        TOMLayer layer = layer();
        if (reconfiguration && layer != null) {
            // What the library leaves undone while it believes that a reconfiguration follows.
            layer.setLastExec(instances[instances.length - 1]);
            layer.setInExec(-1);
        }
    }

    private @Nullable TOMLayer layer() {
        // Null while the superclass's constructor runs, when decisions can already arrive.
        @Nullable CancellableStateManager known = states;
        return known == null ? null : known.layer();
    }

    private static TOMMessage asCommand(TOMMessage request) {
        if (request.getReqType() == TOMMessageType.ORDERED_REQUEST && request.getViewID() == ONLY_VIEW) {
            return request;
        }
        TOMMessage command = new TOMMessage(
                request.getSender(),
                request.getSession(),
                request.getSequence(),
                request.getOperationId(),
                request.getContent(),
                ONLY_VIEW,
                TOMMessageType.ORDERED_REQUEST);
        command.timestamp = request.timestamp;
        command.seed = request.seed;
        command.numOfNonces = request.numOfNonces;
        return command;
    }
}
