package org.aspas.client.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.journal.JournalLimits;
import org.aspas.certify.journal.memory.MemoryFiles;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.ClientState;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * A client's record on files that keep back what was not forced: updates are saved, sent, and closed when they are confirmed. Again and again the
 * power is cut, or the process killed, in any call, starts among them. After each start each update that was sent and not closed is
 * open, with its signed bytes.
 */
final class ClientRecordPowerCutRun {
    private static final SigningKey KEY = SigningKey.of(new byte[32]);
    private static final Sealer SEALER = new Sealer(KEY, Hash.ZERO);
    private static final JournalLimits LIMITS = new JournalLimits(4_096, 1 << 20);
    private static final int STOPS = 5;
    private static final int WINDOW = 12;

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
    private final MemoryFiles files;
    private long callsLeft;
    private ClientState saved = ClientState.FRESH;
    private ClientState begun = ClientState.FRESH;
    private long number;
    private int cuts;
    private int cutsInStarts;

    ClientRecordPowerCutRun(long seed) {
        // The first bit of neighbouring seeds is the same.
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.files = new MemoryFiles("disk", () -> random.nextLong() | 1);
    }

    /** Runs it. */
    ClientRecordPowerCutRun run() {
        for (int stop = 0; stop < STOPS; stop++) {
            callsLeft = random.nextInt(random.nextInt(4) == 0 ? 14 : 200);
            files.beforeEachChange(called -> {
                if (callsLeft-- == 0) {
                    throw new Ended();
                }
            });
            boolean started = false;
            try {
                ClientRecord record = open();
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

    private ClientRecord open() {
        ClientRecord record;
        try {
            record = ClientRecord.open(files, Hash.ZERO, LIMITS);
        } catch (IOException refused) {
            throw new Violation("LOST: a healthy disk is refused: " + refused.getMessage());
        }
        ClientState found = record.state().orElse(ClientState.FRESH);
        if (!found.equals(saved) && !found.equals(begun)) {
            throw new Violation("LOST: " + saved.unconfirmed().size() + " updates were sent, and "
                    + found.unconfirmed().size() + " are open at certificate " + found.certificate());
        }
        saved = found;
        begun = found;
        return record;
    }

    private void work(ClientRecord record) {
        while (true) {
            begun = next();
            try {
                record.save(begun);
            } catch (IOException failed) {
                throw new Violation("LOST: a healthy disk takes nothing: " + failed.getMessage());
            }
            saved = begun;
        }
    }

    private ClientState next() {
        List<Signed<ClientSigned>> open = new ArrayList<>(saved.unconfirmed());
        long certificate = saved.certificate().value();
        if (open.size() >= WINDOW || (!open.isEmpty() && random.nextInt(4) == 0)) {
            open.subList(0, 1 + random.nextInt(open.size())).clear();
            certificate++;
        } else {
            open.add(request(++number));
        }
        return new ClientState(new CertificateNumber(certificate), open);
    }

    private static Signed<ClientSigned> request(long number) {
        Request request = new Request(
                new ClientId(KEY.publicKey()), number, "visits", "pn-counter", Operation.of("increment", Value.of(1)));
        Signed<Request> signed = SEALER.seal(request);
        return new Signed<>(request, signed.payload(), signed.signature());
    }
}
