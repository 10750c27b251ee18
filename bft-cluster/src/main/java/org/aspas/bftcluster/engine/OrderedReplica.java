package org.aspas.bftcluster.engine;

import bftsmart.reconfiguration.ServerViewController;
import bftsmart.tom.ServiceReplica;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import bftsmart.tom.leaderchange.CertifiedDecision;
import bftsmart.tom.server.Replier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A library replica that treats every decided request as an ordinary command, whatever type and view its sender wrote on
 * it. The library would throw on some types, which loses the rest of the batch on this replica, and would stop for ever
 * on a reconfiguration; there is no reconfiguration here, and the machine judges a command by its own signature.
 *
 * <p>Each consensus instance reaches the machine once and in order: what a transferred state held already is left out,
 * and after a gap nothing is applied until the state has been fetched.
 */
final class OrderedReplica extends ServiceReplica {
    private static final int ONLY_VIEW = 0;

    private static final Logger LOG = LoggerFactory.getLogger(OrderedReplica.class);

    private final RecoverableMachine machine;

    OrderedReplica(ServerViewController views, RecoverableMachine machine, Replier replier) {
        super(views, machine, machine, null, replier);
        this.machine = machine;
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
        int[] wanted = wanted(instances);
        if (wanted.length > 0) {
            super.receiveMessages(
                    IntStream.of(wanted).map(i -> instances[i]).toArray(),
                    IntStream.of(wanted).map(i -> regencies[i]).toArray(),
                    IntStream.of(wanted).map(i -> leaders[i]).toArray(),
                    IntStream.of(wanted).mapToObj(i -> decisions[i]).toArray(CertifiedDecision[]::new),
                    IntStream.of(wanted).mapToObj(i -> requests[i]).toArray(TOMMessage[][]::new));
        }
        TOMLayer layer = layer();
        if (reconfiguration && layer != null) {
            // What the library leaves undone while it believes that a reconfiguration follows.
            layer.setLastExec(instances[instances.length - 1]);
            layer.setInExec(-1);
        }
    }

    /** The places of the instances that come next, in order. */
    private int[] wanted(int[] instances) {
        @Nullable RecoverableMachine known = known();
        if (known == null) {
            return IntStream.range(0, instances.length).toArray();
        }
        int position = known.log().position();
        IntStream.Builder places = IntStream.builder();
        for (int i = 0; i < instances.length; i++) {
            if (instances[i] == position + 1) {
                places.add(i);
                position++;
            } else if (instances[i] > position) {
                LOG.error("instance {} was delivered at position {}; nothing is applied", instances[i], position);
                break;
            }
        }
        return places.build().toArray();
    }

    private @Nullable TOMLayer layer() {
        @Nullable RecoverableMachine known = known();
        return known == null ? null : known.states().layer();
    }

    /** Null while the superclass's constructor runs, when decisions can already arrive. */
    private @Nullable RecoverableMachine known() {
        return machine;
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
