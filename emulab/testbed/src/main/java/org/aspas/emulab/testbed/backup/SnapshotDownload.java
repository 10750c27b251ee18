package org.aspas.emulab.testbed.backup;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.appserver.core.certification.SnapshotCheck;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotPull;
import org.aspas.certify.wire.SnapshotPull.Place;
import org.aspas.client.net.Transport;
import org.aspas.client.net.WebSocketTransport;
import org.jspecify.annotations.Nullable;

/**
 * Gets the certified state at the newest certificate from an appserver, as any client may, and verifies every part as it
 * comes. Blocks; for one thread.
 */
public final class SnapshotDownload implements VerifiedSnapshot {
    private static final int PARTS_AT_ONCE = 8;
    /** After a refusal because of too many questions; twice as long after each that follows, and at most this. */
    private static final long LEAST_PAUSE_MILLIS = 50;

    private static final long MOST_PAUSE_MILLIS = 2_000;

    private static final int QUEUED_FRAMES = 64;

    /** The connection ended, or what came is not of this deployment; one line for the user. */
    public static final class Failed extends IOException {
        private static final long serialVersionUID = 1L;

        Failed(String message) {
            super(message);
        }
    }

    private record Came(@Nullable Message message, byte[] frame, String ended) {}

    private final Descriptor descriptor;
    private final HttpClient http;
    private final URI server;
    private final Duration patience;
    private final BlockingQueue<Came> came = new LinkedBlockingQueue<>();
    private final Set<Place> asked = new HashSet<>();
    /** How many of those asked were refused; no refusal says which. */
    private int refused;

    private long pauseMillis = LEAST_PAUSE_MILLIS;

    /**
     * A download, which {@link #run} carries out.
     *
     * @param server such as {@code ws://127.0.0.1:8100/v1/session}
     * @param patience how long each answer may take
     */
    public SnapshotDownload(Descriptor descriptor, HttpClient http, URI server, Duration patience) {
        this.http = http;
        this.descriptor = descriptor;
        this.server = server;
        this.patience = patience;
    }

    /**
     * Gets and verifies all.
     *
     * @throws SnapshotCheck.WrongSnapshot when the server sends what is not certified
     * @throws Failed when it cannot be reached, ends the connection, or is of another deployment
     * @throws TimeoutException when it does not answer in time
     */
    @Override
    public SnapshotCheck run(SnapshotSink sink)
            throws IOException, SnapshotCheck.WrongSnapshot, TimeoutException, InterruptedException {
        Transport.Connection connection = new WebSocketTransport(
                        http, server, patience, descriptor.limits().linkFrameBytes(), QUEUED_FRAMES)
                .connect(new Listener());
        try {
            if (!(next().message() instanceof Hello hello)
                    || !hello.deployment().equals(descriptor.id())) {
                throw new Failed(server + " is no appserver of " + descriptor.name());
            }
            Came begin = begin(connection);
            if (!(begin.message() instanceof SnapshotHead head)) {
                throw new Failed(server + " gives no snapshots to clients");
            }
            SnapshotCheck check = SnapshotCheck.of(descriptor, head);
            sink.take(begin.frame());
            while (!check.complete()) {
                askForMore(connection, check);
                take(check, next(), sink);
            }
            return check;
        } finally {
            connection.close();
        }
    }

    /** The answer to the question for the head, which is asked again while others ask too much. */
    private Came begin(Transport.Connection connection) throws TimeoutException, InterruptedException, Failed {
        long begun = System.nanoTime();
        ask(connection, CertificateNumber.NONE, null);
        Came answer = next();
        while (tooOften(answer.message()) && System.nanoTime() - begun < patience.toNanos()) {
            pause();
            ask(connection, CertificateNumber.NONE, null);
            answer = next();
        }
        return answer;
    }

    private static boolean tooOften(@Nullable Message message) {
        return message instanceof Refusal refusal && refusal.reason() == Refusal.Reason.TOO_OFTEN;
    }

    private void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(pauseMillis);
        pauseMillis = Math.min(2 * pauseMillis, MOST_PAUSE_MILLIS);
    }

    private void take(SnapshotCheck check, Came next, SnapshotSink sink)
            throws IOException, SnapshotCheck.WrongSnapshot, InterruptedException {
        Message message = next.message();
        if (tooOften(message)) {
            refused++;
        } else if (message instanceof SnapshotChunk chunk) {
            if (chunk.proof() == null) {
                throw new Failed(server + " does not keep the snapshot any more; begin again");
            }
            asked.remove(chunk.place());
            pauseMillis = LEAST_PAUSE_MILLIS;
            if (check.needs(chunk.place())) {
                check.take(chunk);
                sink.take(next.frame());
            }
        } else {
            throw new Failed(server + " answers with something else than a part of the snapshot");
        }
        if (refused > 0 && refused >= asked.size()) {
            // Each question has had its answer: those that are left were refused.
            asked.clear();
            refused = 0;
            pause();
        }
    }

    private void askForMore(Transport.Connection connection, SnapshotCheck check) {
        List<Place> wanted = new ArrayList<>();
        check.places(place -> {
            if (!asked.contains(place)) {
                wanted.add(place);
            }
            return asked.size() + wanted.size() < PARTS_AT_ONCE;
        });
        for (Place place : wanted) {
            if (asked.size() < PARTS_AT_ONCE && asked.add(place)) {
                ask(connection, check.certificate().number(), place);
            }
        }
    }

    private static void ask(Transport.Connection connection, CertificateNumber number, @Nullable Place place) {
        connection.send(Codec.encode(new SnapshotPull(number, place)));
    }

    private Came next() throws TimeoutException, InterruptedException, Failed {
        Came next = came.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        if (next == null) {
            throw new TimeoutException("no answer from " + server + " within " + patience.toSeconds() + " s");
        }
        if (next.message() == null) {
            throw new Failed(next.ended());
        }
        return next;
    }

    private final class Listener implements Transport.Listener {
        @Override
        public void connected() {
            // The server speaks first.
        }

        @Override
        public void received(byte[] frame, Runnable consumed) {
            Message message = Codec.decode(frame)
                    .accepted()
                    .filter(Frame.Plain.class::isInstance)
                    .map(plain -> ((Frame.Plain) plain).message())
                    .orElse(null);
            came.add(new Came(message, frame, server + " sends what is no answer"));
            consumed.run();
        }

        @Override
        public void closed(String reason) {
            came.add(new Came(null, new byte[0], reason));
        }
    }
}
