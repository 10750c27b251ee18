package org.aspas.emulab.testbed.fill;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.BaseImage;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.OpenBatch;
import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.store.Durability;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreOptions;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.appserver.store.StoreUnusableException;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Signed;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.jspecify.annotations.Nullable;

/** The core of one appserver over its store. What it sends stays here until it is taken. For one thread at a time. */
final class FillingServer implements AutoCloseable {
    /**
     * What is to be given to another node.
     *
     * @param event what happens to an appserver; null for a bftserver
     * @param command what a bftserver is given; null for an appserver
     */
    record Sent(NodeId to, @Nullable Event event, @Nullable Signed<? extends Message> command) {}

    private final NodeId self;
    private final Verifier verifier;
    private final EntryStore store;
    private final AppServerCore core;
    private final Deque<Event> inbox = new ArrayDeque<>();
    private final List<Sent> sent = new ArrayList<>();
    private final FillingProgress durable = new FillingProgress();
    /** Batches that go to several peers are opened once, as what was verified is remembered in their entries. */
    private final Map<List<Long>, OpenBatch> open = new HashMap<>();

    private long appended;
    private @Nullable BaseImage certified;

    /**
     * A server over the store that was made with its key.
     *
     * @param allInMemory whether no object may be in the base alone
     */
    FillingServer(Deployment made, NodeId self, Path data, boolean allInMemory) throws StoreUnusableException {
        this.self = self;
        this.verifier = made.descriptor().verifier();
        StoreOwner owner =
                new StoreOwner(made.descriptor().id(), self, made.key(self).publicKey());
        StoreOptions usual = new StoreOptions(data.resolve(self.toString()), Durability.SYNC);
        this.store = JournalStore.open(
                allInMemory ? new StoreOptions(usual.data(), usual.durability(), Long.MAX_VALUE) : usual, owner);
        this.core = AppServerCore.recover(
                CoreSettings.of(made.descriptor(), self, made.key(self)), store.records(), store.state());
    }

    /** Queues an event for the next {@link #run}. */
    void happens(Event event) {
        inbox.add(event);
    }

    /** Has all happen that is to happen, makes it durable, and does what that allows. */
    void run() throws InterruptedException {
        open.clear();
        for (Event next = inbox.poll(); next != null; next = inbox.poll()) {
            step(next);
        }
        long last = 0;
        while (last < appended) {
            last = appended;
            durable.await(last);
            step(new Event.Persisted(new Ticket(last)));
        }
    }

    /** Whether an event is queued. */
    boolean waits() {
        return !inbox.isEmpty();
    }

    /** What was sent since the last call. */
    List<Sent> take() {
        List<Sent> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    CoreStatus status() {
        return core.status();
    }

    /** What its base has by now, or will have. */
    Optional<BaseImage> certified() {
        return Optional.ofNullable(certified);
    }

    private void step(Event event) {
        for (Effect effect : core.step(event)) {
            carryOut(effect);
        }
    }

    private void carryOut(Effect effect) {
        if (effect instanceof Effect.Persist persist) {
            appended = persist.ticket().value();
            if (store.append(persist.ticket(), persist.record(), durable)) {
                durable.durable(persist.ticket());
            }
        } else if (effect instanceof Effect.Keep keep) {
            certified = keep.image();
            store.keep(keep);
        } else if (effect instanceof Effect.KeepLeaves keep) {
            store.leaves().keep(keep.origin(), keep.block());
        } else if (effect instanceof Effect.DropLeaves drop) {
            store.leaves().drop(drop.origin(), drop.before());
        } else if (effect instanceof Effect.ToNode send) {
            send(send.to(), send.message());
        } else if (effect instanceof Effect.ToNodeSigned send) {
            boolean appserver = send.to().role() == Role.APPSERVER;
            sent.add(new Sent(
                    send.to(),
                    appserver ? new Event.NodeFrame(self, new Frame.Sealed(send.signed())) : null,
                    appserver ? null : send.signed()));
        } else if (effect instanceof Effect.BatchJudged judged) {
            judged.batch().judged(judged.outcome(), judged.size());
        } else {
            refuse(effect);
        }
    }

    private void refuse(Effect effect) {
        boolean refused = effect instanceof Effect.ToClient answer && answer.message() instanceof Refusal;
        if (refused || effect instanceof Effect.Raise || effect instanceof Effect.CloseClient) {
            throw new IllegalStateException(self + " does not take what it is filled with: " + effect);
        }
    }

    private void send(NodeId to, Message message) {
        if (to.role() == Role.BFTSERVER) {
            throw new IllegalStateException(self + " gives a bftserver what it has not signed: " + message);
        } else if (message instanceof Batch batch) {
            sent.add(new Sent(to, new Event.NodeBatch(self, opened(batch)), null));
        } else {
            sent.add(new Sent(to, new Event.NodeFrame(self, new Frame.Plain(message)), null));
        }
    }

    private OpenBatch opened(Batch batch) {
        long size = batch.head().message().size();
        return open.computeIfAbsent(
                List.of((long) batch.head().message().origin(), size, (long)
                        batch.entries().size()),
                any -> verified(batch));
    }

    /** As a server's links do before its core takes a batch. */
    private OpenBatch verified(Batch batch) {
        OpenBatch made = OpenBatch.openedFrom(batch, 0, (outcome, size) -> {});
        for (int place = 0; place < batch.entries().size(); place++) {
            if (made.entry(place).filter(this::rightlySigned).isEmpty()) {
                throw new IllegalStateException("a client's signature is wrong");
            }
        }
        return made;
    }

    private boolean rightlySigned(Entry entry) {
        ClientSigned body = entry.body().message();
        return entry.body().verify(verifier, body.client().key(), domain(body.kind()));
    }

    private static Domain domain(Kind kind) {
        return kind == Kind.OPEN_SESSION ? Domain.SESSION : Domain.REQUEST;
    }

    void open(ConnectionId connection) {
        inbox.add(new Event.ClientOpened(connection));
    }

    @Override
    public void close() {
        store.close();
    }
}
