package org.aspas.emulab.testbed.backup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.certification.SnapshotCheck;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.journal.file.DirectoryReader;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotPull;
import org.aspas.certify.wire.SnapshotPull.Place;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.jspecify.annotations.Nullable;

/**
 * The certified state in the store of an appserver that does not run. The server's core is brought back from its records, in
 * memory and without its key, and asked as a client would ask it. No file is changed. For one thread.
 */
public final class StoredSnapshot implements VerifiedSnapshot {
    private static final ConnectionId CONNECTION = new ConnectionId(1);
    private static final long STEP_MILLIS = 1_000;
    private static final int MOST_TICKS = 10;

    private final Descriptor descriptor;
    private final NodeId server;
    private final Path data;
    private final Queue<Message> answers = new ArrayDeque<>();
    private long now;

    public StoredSnapshot(Descriptor descriptor, NodeId server, Path data) {
        this.descriptor = descriptor;
        this.server = server;
        this.data = data;
    }

    @Override
    public SnapshotCheck run(SnapshotSink sink) throws IOException, SnapshotCheck.WrongSnapshot {
        if (DirectoryReader.inUse(data.resolve(JournalStore.DIRECTORY))) {
            throw new IOException("the store in " + data + " is in use: ask the server that runs, or stop it first");
        }
        AppServerCore core = core();
        step(core, new Event.Tick(now));
        step(core, new Event.ClientOpened(CONNECTION));
        if (!(ask(core, CertificateNumber.NONE, null) instanceof SnapshotHead head)) {
            throw new IOException("the store in " + data + " holds nothing that can be given");
        }
        SnapshotCheck check = SnapshotCheck.of(descriptor, head);
        sink.take(Codec.encode(head));
        while (!check.complete()) {
            List<Place> next = new ArrayList<>();
            check.places(place -> !next.add(place));
            if (ask(core, head(check), next.get(0)) instanceof SnapshotChunk chunk) {
                check.take(chunk);
                sink.take(Codec.encode(chunk));
            }
        }
        return check;
    }

    private static CertificateNumber head(SnapshotCheck check) {
        return check.certificate().number();
    }

    /** A core with a fresh key that nobody trusts: nothing that it signs here is sent. */
    private AppServerCore core() throws IOException {
        StoreOwner owner =
                new StoreOwner(descriptor.id(), server, descriptor.node(server).key());
        try {
            return JournalStore.read(
                    data,
                    owner,
                    kept -> AppServerCore.recover(
                            CoreSettings.of(descriptor, server, Deployment.newKey()), kept, StoreState.GOOD));
        } catch (IllegalStateException damaged) {
            throw new IOException("the store in " + data + " cannot be used: " + damaged.getMessage(), damaged);
        }
    }

    /** The answer to a question, for whose turn time passes; null when the core has none. */
    private @Nullable Message ask(AppServerCore core, CertificateNumber number, @Nullable Place place) {
        answers.clear();
        step(core, new Event.ClientFrame(CONNECTION, new Frame.Plain(new SnapshotPull(number, place))));
        Message answer = answer();
        for (int tick = 0; answer == null && tick < MOST_TICKS; tick++) {
            now += STEP_MILLIS;
            step(core, new Event.Tick(now));
            answer = answer();
        }
        return answer;
    }

    private @Nullable Message answer() {
        return answers.stream()
                .filter(one -> one instanceof SnapshotHead || one instanceof SnapshotChunk)
                .findFirst()
                .orElse(null);
    }

    /** What the core would store it is told to be stored: it is of no use, and the answers wait for it. */
    private void step(AppServerCore core, Event event) {
        Queue<Event> events = new ArrayDeque<>(List.of(event));
        while (!events.isEmpty()) {
            for (Effect effect : core.step(events.remove())) {
                if (effect instanceof Effect.Persist persist) {
                    events.add(new Event.Persisted(persist.ticket()));
                } else if (effect instanceof Effect.ToClient sent) {
                    answers.add(sent.message());
                }
            }
        }
    }
}
