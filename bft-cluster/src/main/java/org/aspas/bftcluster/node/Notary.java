package org.aspas.bftcluster.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.message.Accept;
import org.aspas.certify.message.Share;
import org.aspas.certify.message.Signed;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one replica does with the outcomes of the certification machine (the protocol page, §5.3 and §5.5). It signs one
 * content per number for ever: a second content under a number that it has signed is refused here, whatever the ordering
 * library did. Not thread-safe: its owner calls it on one thread.
 *
 * <p>What it signed is kept in memory; a durable record takes this map's place.
 */
final class Notary {
    private static final Logger LOG = LoggerFactory.getLogger(Notary.class);
    private static final int RETAINED_SHARES = 64;

    private final int replica;
    private final Sealer sealer;
    private final Ordering ordering;
    private final Consumer<byte[]> toAppservers;
    private final TreeMap<Long, Hash> signed = new TreeMap<>();
    private final TreeMap<Long, byte[]> shares = new TreeMap<>();
    private final List<byte[]> proofs = new ArrayList<>();
    private byte @Nullable [] question;
    private long signedUpTo;

    Notary(int replica, Sealer sealer, Ordering ordering, Consumer<byte[]> toAppservers) {
        this.replica = replica;
        this.sealer = sealer;
        this.ordering = ordering;
        this.toAppservers = toAppservers;
    }

    /** Carries out one outcome. A step of time is its owner's affair. */
    void on(Outcome outcome) {
        if (outcome instanceof Outcome.Ask ask) {
            byte[] frame = Codec.encode(sealer.seal(ask.message(replica)));
            question = frame;
            toAppservers.accept(frame);
        } else if (outcome instanceof Outcome.Decided decided) {
            Accept accept = new Accept(replica, decided.content().number(), decided.attempt(), decided.hash());
            ordering.submit(Codec.encode(sealer.seal(accept)));
        } else if (outcome instanceof Outcome.ReadyToSign ready) {
            sign(ready);
        } else if (outcome instanceof Outcome.Convicted convicted) {
            LOG.warn(
                    "appserver {} is convicted by {}",
                    convicted.server(),
                    convicted.evidence().kind());
            byte[] frame = Codec.encode(convicted.evidence());
            proofs.add(frame);
            toAppservers.accept(frame);
        } else if (outcome instanceof Outcome.AssumptionBroken broken) {
            LOG.error(
                    "CERTIFICATION HAS STOPPED: appservers {} are convicted, more than the deployment tolerates",
                    broken.convicted());
        }
    }

    private void sign(Outcome.ReadyToSign ready) {
        Hash known = signed.putIfAbsent(ready.number(), ready.hash());
        if (known != null && !known.equals(ready.hash())) {
            throw new IllegalStateException("replica " + replica + " signed " + known + " for certificate "
                    + ready.number() + " and was asked to sign " + ready.hash());
        }
        if (known != null) {
            return;
        }
        signedUpTo = ready.number();
        Signed<?> content = sealer.seal(ready.content());
        byte[] frame =
                Codec.encode(new Share(replica, new Signed<>(ready.content(), ready.payload(), content.signature())));
        shares.put(ready.number(), frame);
        while (shares.size() > RETAINED_SHARES) {
            shares.pollFirstEntry();
        }
        question = null;
        toAppservers.accept(frame);
    }

    /** Tells an appserver that has just connected what it may have missed. */
    void greet(Consumer<byte[]> toAppserver) {
        proofs.forEach(toAppserver);
        for (Map.Entry<Long, byte[]> share : shares.entrySet()) {
            toAppserver.accept(share.getValue());
        }
        byte[] open = question;
        if (open != null) {
            toAppserver.accept(open);
        }
    }

    /** Sends the open question once more, for answers that were lost. */
    void askAgain() {
        byte[] open = question;
        if (open != null) {
            toAppservers.accept(open);
        }
    }

    /** The highest number this replica has signed; 0 for none. */
    long signedUpTo() {
        return signedUpTo;
    }
}
