package org.aspas.bftcluster.node;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.journal.JournalLimits;
import org.aspas.certify.journal.memory.MemoryFiles;
import org.aspas.certify.replica.RecordItem;
import org.aspas.certify.replica.RecordState;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.crdt.clock.VersionVector;

/**
 * The record of a bftserver on files that keep back what was not forced: items as a signer makes them, and after each sync what they allow is
 * done: an acceptance, a commitment, a signature, an epoch. Again and again the power is cut, or the process killed, in any call, starts
 * among them. What was done is known after each start, so nothing else is ever signed in its place, and no epoch comes again.
 */
final class RecordPowerCutRun {
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {3});
    private static final Sealer SEALER = new Sealer(SigningKey.of(DEPLOYMENT.toBytes()), DEPLOYMENT);
    private static final JournalLimits LIMITS = new JournalLimits(6_000, 1 << 20);
    private static final int STOPS = 5;

    /** The record is not what was promised. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String message) {
            super(message);
        }
    }

    /** The process ends here. */
    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final Random random;
    private MemoryFiles files;
    private long callsLeft;
    /** What was appended, in order, and is there again or may be. */
    private final List<RecordItem> items = new ArrayList<>();
    /** So many of them count as durable. */
    private int done;

    private long number;
    private int cuts;
    private int cutsInStarts;

    RecordPowerCutRun(long seed) {
        // The first bit of neighbouring seeds is the same.
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.files = new MemoryFiles("disk", () -> random.nextLong() | 1);
    }

    /** Runs it. */
    RecordPowerCutRun run() {
        for (int stop = 0; stop < STOPS; stop++) {
            callsLeft = random.nextInt(random.nextInt(4) == 0 ? 14 : 200);
            files.beforeEachChange(called -> {
                if (callsLeft-- == 0) {
                    throw new Ended();
                }
            });
            boolean started = false;
            try {
                DurableRecord record = open();
                started = true;
                work(record);
            } catch (Ended ended) {
                cutsInStarts += started ? 0 : 1;
            }
            files.beforeEachChange(called -> {});
            if (random.nextInt(4) > 0) {
                files.powerFails(
                        probability -> random.nextDouble() < probability,
                        random::nextInt,
                        new double[] {0, 0.3, 0.7, 0.95, 1}[random.nextInt(5)]);
            }
            cuts++;
        }
        open().close();
        return this;
    }

    int cuts() {
        return cuts;
    }

    int cutsInStarts() {
        return cutsInStarts;
    }

    private DurableRecord open() {
        DurableRecord record;
        try {
            record = DurableRecord.open(files, DEPLOYMENT, 0, LIMITS);
        } catch (IOException refused) {
            throw new Violation("LOST: a healthy disk is refused: " + refused.getMessage());
        }
        List<String> found = written(record.state());
        for (int upTo = items.size(); upTo >= done; upTo--) {
            RecordState expected = new RecordState();
            items.subList(0, upTo).forEach(expected::apply);
            if (written(expected).equals(found)) {
                items.subList(upTo, items.size()).clear();
                done = upTo;
                number = record.state().newest().value();
                return record;
            }
        }
        throw new Violation("LOST: " + done + " of " + items.size() + " items were durable, and the record is of none");
    }

    private static List<String> written(RecordState state) {
        return state.items().stream()
                .map(item -> Hash.sha256(item.toBytes()).toString())
                .toList();
    }

    private void work(DurableRecord record) {
        while (true) {
            for (RecordItem item : next(record)) {
                items.add(item);
                record.append(item);
            }
            try {
                record.sync();
            } catch (IOException failed) {
                throw new Violation("LOST: a healthy disk takes nothing: " + failed.getMessage());
            }
            done = items.size();
        }
    }

    private List<RecordItem> next(DurableRecord record) {
        if (items.isEmpty()) {
            return List.of(new RecordItem.Taught(CertificateNumber.NONE));
        }
        if (random.nextInt(4) == 0) {
            return List.of(new RecordItem.Opened(record.state().epoch().next()));
        }
        number++;
        CertificateNumber at = new CertificateNumber(number);
        // The content of a number that was not finished may be another one next time.
        byte[] root = new byte[Hash.LENGTH];
        random.nextBytes(root);
        CertificateContent content = new CertificateContent(
                DEPLOYMENT,
                at,
                Hash.ZERO,
                VersionVector.of(number, 0, 0, 0),
                List.of(Hash.ZERO, Hash.ZERO, Hash.ZERO, Hash.ZERO),
                Hash.sha256(root),
                List.of());
        byte[] payload = Codec.encode(content);
        Accept accept = new Accept(0, at, 1, Hash.sha256(payload));
        List<RecordItem> all = List.of(
                new RecordItem.AcceptedContent(at, 1, payload),
                new RecordItem.Locked(new ProvenContent(content, payload, List.of(SEALER.seal(accept)))),
                new RecordItem.SignedShare(new Share(0, SEALER.seal(content))));
        return all.subList(0, random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 3);
    }
}
