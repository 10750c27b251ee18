package org.aspas.bftcluster.engine;

import bftsmart.reconfiguration.ServerViewController;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.leaderchange.CertifiedDecision;
import bftsmart.tom.leaderchange.LCManager;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The library's data about a change of leader, with two checks that the library lacks. First, the library keeps all
 * requests that come with others' STOPs and passes them on in its own STOP, which could outgrow a frame. Here each STOP
 * adds a little, and all of it fits. Second, a new leader takes the highest number that anyone says was decided, proved
 * or not, and so makes a SYNC that nobody accepts. Here a decision counts only with its proof. Used on the library's
 * message thread.
 */
class BoundedLeaderChange extends LCManager {
    /** How many requests of another's STOP are added to the own one. */
    static final int MOST_OF_A_STOP = 256;

    private final int self;
    private final int mostOwn;
    private final long mostOwnBytes;
    private final int most;
    private final long mostBytesOfAStop;
    private final long mostBytes;
    private final List<TOMMessage> fromStops = new LinkedList<>();
    private final Set<Id> known = new HashSet<>();
    private long bytes;

    private record Id(int client, int session, int sequence, int operation) {
        static Id of(TOMMessage request) {
            return new Id(request.getSender(), request.getSession(), request.getSequence(), request.getOperationId());
        }
    }

    /** Starts without a change of leader; {@code bounds} are what its own STOP may hold. */
    BoundedLeaderChange(
            TOMLayer layer,
            ServerViewController views,
            MessageDigest md,
            int self,
            int replicas,
            Containment.Bounds bounds) {
        super(layer, views, md);
        this.self = self;
        this.mostOwn = bounds.maxRelayed() - replicas * MOST_OF_A_STOP;
        this.mostOwnBytes = bounds.maxFrameBytes() / 2;
        this.most = replicas * MOST_OF_A_STOP;
        this.mostBytes = bounds.maxFrameBytes() / 8;
        this.mostBytesOfAStop = mostBytes / replicas;
    }

    /** The requests that waited too long here, as many as leave room for others'. */
    @Override
    public void setCurrentRequestTimedOut(@Nullable List<TOMMessage> requests) {
        if (requests == null) {
            super.setCurrentRequestTimedOut(null);
            return;
        }
        List<TOMMessage> some = new LinkedList<>();
        long sum = 0;
        for (TOMMessage request : requests) {
            sum += request.serializedMessage.length;
            if (!some.isEmpty() && (sum > mostOwnBytes || some.size() >= mostOwn)) {
                break;
            }
            some.add(request);
        }
        super.setCurrentRequestTimedOut(some);
    }

    /** A STOP has come with these requests. One is always kept: a STOP without any is refused by its receivers. */
    @Override
    public void addRequestsFromSTOP(TOMMessage @Nullable [] requests) {
        if (requests == null) {
            return;
        }
        int added = 0;
        long addedBytes = 0;
        for (TOMMessage request : requests) {
            int length = request.serializedMessage.length;
            boolean room = fromStops.size() < most
                    && added < MOST_OF_A_STOP
                    && addedBytes + length <= mostBytesOfAStop
                    && bytes + length <= mostBytes;
            if ((room || fromStops.isEmpty()) && known.add(Id.of(request))) {
                fromStops.add(request);
                added++;
                addedBytes += length;
                bytes += length;
            }
        }
    }

    @Override
    public List<TOMMessage> getRequestsFromSTOP() {
        return fromStops;
    }

    @Override
    public void clearRequestsFromSTOP() {
        fromStops.clear();
        known.clear();
        bytes = 0;
    }

    /** The highest decision that is proved to this replica; its own one when none is. */
    @Override
    public @Nullable CertifiedDecision getHighestLastCID(int regency) {
        Set<CertifiedDecision> said = getLastCIDs(regency);
        if (said == null) {
            return null;
        }
        CertifiedDecision own = null;
        CertifiedDecision highest = null;
        for (CertifiedDecision one : said) {
            if (one.getPID() == self) {
                own = one;
            }
            if ((highest == null || one.getCID() > highest.getCID()) && isProved(one)) {
                highest = one;
            }
        }
        return highest == null ? own : highest;
    }

    private boolean isProved(CertifiedDecision one) {
        return one.getCID() == -1 || one.getDecision() != null && one.getConsMessages() != null && hasValidProof(one);
    }
}
