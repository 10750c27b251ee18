package org.aspas.client.core;

import java.util.ArrayDeque;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.RequestName;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;

/**
 * Finds the confirmed updates that have no effect (the protocol page, docs/protocol.md §9). A confirmation proves that an
 * update is in the certified log, not that it changed its object: one whose type is not that of its key takes its number
 * only, and one that would make a full object grow may do so.
 *
 * <p>A server's word that an update does not fit, before its confirmation or after it, is only a hint. That another type has
 * the key is proved by a certified read of that type; a key's certified type never changes. That an object was full cannot be
 * proved to a client, which then goes by the f+1 servers that refused.
 */
public final class EffectCheck {
    /** How many of the newest confirmed updates a late hint can be about. */
    private static final int RECENT = 256;

    private record Confirmed(Request request, CertificateNumber certificate) {}

    private final Reads reads;
    private final Step step;
    private final BoundedMap<RequestName, Confirmed> recent = new BoundedMap<>(RECENT);
    /** The confirmed updates whose key is to be read. */
    private final ArrayDeque<Confirmed> doubted = new ArrayDeque<>();

    /** Nothing is confirmed yet; {@code reads} fetches the objects of updates that may have no effect. */
    public EffectCheck(Reads reads, Step step) {
        this.reads = reads;
        this.step = step;
    }

    void confirmed(PendingUpdate update, CertificateNumber certificate) {
        Confirmed confirmed = new Confirmed(update.request(), certificate);
        if (update.unfit == Refusal.Reason.WRONG_TYPE) {
            readOtherTypes(confirmed);
        } else if (update.unfit == Refusal.Reason.BAD_OPERATION && update.doubtful) {
            tell(confirmed, Refusal.Reason.BAD_OPERATION, certificate, false);
        } else {
            recent.put(RequestName.of(update.request()), confirmed);
        }
    }

    /** A server says something of an update that is not on its way to it. */
    void hint(Refusal refusal) {
        RequestName name = new RequestName(refusal.client(), refusal.reference());
        Confirmed confirmed = refusal.reason() == Refusal.Reason.WRONG_TYPE ? recent.remove(name) : null;
        if (confirmed != null) {
            readOtherTypes(confirmed);
        }
    }

    /** Reads what could not be read before. */
    public void tick() {
        for (int left = doubted.size(); left > 0; left--) {
            readOtherTypes(doubted.remove());
        }
    }

    private void readOtherTypes(Confirmed update) {
        for (DataType other : DataTypes.all()) {
            if (!other.name().equals(update.request().type())) {
                read(update, other.name());
            }
        }
    }

    /** A refusal is no reason to leave: whoever hinted may be another server, and may have hinted falsely. */
    private void read(Confirmed update, String type) {
        reads.submit(update.request().key(), type, new Reads.Receiver() {
            @Override
            public void done(Effect.ReadDone result, boolean present) {
                if (present) {
                    tell(update, Refusal.Reason.WRONG_TYPE, result.certificateNumber(), true);
                }
            }

            @Override
            public void failed(Failure failure) {
                boolean later = failure instanceof Failure.TimedOut || failure instanceof Failure.Overflow;
                if (later && doubted.size() < RECENT && !doubted.contains(update)) {
                    doubted.add(update);
                }
            }
        });
    }

    private void tell(Confirmed update, Refusal.Reason reason, CertificateNumber certificate, boolean proved) {
        Request request = update.request();
        step.happened(new ClientEvent.WithoutEffect(
                request.client(),
                request.number(),
                request.key(),
                request.type(),
                request.operation(),
                reason,
                certificate,
                proved));
    }
}
