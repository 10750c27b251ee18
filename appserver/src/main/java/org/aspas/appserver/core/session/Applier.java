package org.aspas.appserver.core.session;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.aspas.appserver.core.certification.LogsCut;
import org.aspas.appserver.core.complaint.EvidencePool;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.log.OriginLog;
import org.aspas.appserver.core.object.CertifiedState;
import org.aspas.appserver.core.object.DeliveredUpdate;
import org.aspas.appserver.core.object.ObjectStore;
import org.aspas.appserver.core.object.RequestNumbers;
import org.aspas.appserver.core.object.TouchedObjects;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.ObjectChange;
import org.aspas.certify.evidence.EntryRules;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.ClientEquivocation;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Counted;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;

/**
 * Brings what the logs have delivered into the clients' ledgers and the live views, and takes it out again when it is revoked.
 * Two contents under one number, which show when the second is delivered, are evidence against the client. For one thread.
 */
public final class Applier {
    private final EntryRules rules;
    private final Set<Integer> broken = new HashSet<>();
    private final Logs logs;
    private final HeldEntries held;
    private final ObjectStore objects;
    private final ClientLedgers ledgers;
    private final EvidencePool evidence;
    private final RequestNumbers.Judge contents = new Contents();
    private final TouchedObjects touched = new TouchedObjects();

    public Applier(
            CoreSettings settings, Logs logs, ObjectStore objects, ClientLedgers ledgers, EvidencePool evidence) {
        this.rules = new EntryRules(settings.quorums(), settings.admits(), settings.verifier());
        this.logs = logs;
        this.held = new HeldEntries(logs);
        this.objects = objects;
        this.ledgers = ledgers;
        this.evidence = evidence;
    }

    TouchedObjects touched() {
        return touched;
    }

    /** Delivers what the logs have delivered since the last call. */
    public void deliver() {
        logs.takeDelivered().forEach(this::deliver);
    }

    private void deliver(Entry entry) {
        ledgers.delivered(entry);
        if (entry.body().message() instanceof Request request) {
            DeliveredUpdate update = DeliveredUpdate.of(entry, request);
            compareWithCertified(update);
            objects.requests().compare(update, contents);
            objects.deliver(update);
            touched.touch(request.key(), ObjectChange.Kind.LOCAL);
        }
    }

    /** Another content is certified under the number of an update: one that its client did not sign is its origin's guilt. */
    private void compareWithCertified(DeliveredUpdate update) {
        objects.requests()
                .counted(update.request().client(), update.request().number())
                .filter(one -> !one.identity().equals(update.identity()))
                .map(Counted::dot)
                .ifPresent(certified -> {
                    look(update.dot());
                    look(certified);
                });
    }

    private void look(Dot dot) {
        if (!broken.contains(dot.origin())) {
            held.find(dot).filter(entry -> !rules.signed(entry)).ifPresent(entry -> broken(dot));
        }
    }

    /** One proof of an origin is enough. */
    private void broken(Dot dot) {
        if (!broken.contains(dot.origin())) {
            held.broken(dot).ifPresent(proof -> {
                broken.add(dot.origin());
                evidence.take(proof);
            });
        }
    }

    /** Whoever signed two contents is guilty; of one that its client did not sign, and that a tag let in, its origin is. */
    private final class Contents implements RequestNumbers.Judge {
        @Override
        public boolean signed(DeliveredUpdate update) {
            return rules.signed(update.entry());
        }

        @Override
        public void unsigned(DeliveredUpdate update) {
            broken(update.dot());
        }

        @Override
        public void reused(DeliveredUpdate one, DeliveredUpdate other) {
            numberReused(one.entry(), other.entry().body());
        }
    }

    /** A client signed another request under the number of one that was entered. */
    void numberReused(Entry entered, Signed<ClientSigned> other) {
        evidence.take(new ClientEquivocation(request(entered.body()), request(other)));
    }

    private static Signed<Request> request(Signed<ClientSigned> signed) {
        return signed.as(Request.class).orElseThrow(() -> new IllegalStateException("no request: " + signed.message()));
    }

    /** Takes back what was delivered of the ends of logs, and delivers what waited for that only. */
    public void takeBack(LogsCut cut) {
        for (LogsCut.End end : cut.ends()) {
            objects.revoke(end.origin(), end.kept());
        }
        List<Entry> revoked = cut.revoked();
        touched.touch(revoked, ObjectChange.Kind.REVOKED);
        ledgers.revoked(revoked, objects.requests());
        deliver();
    }

    /**
     * A snapshot was installed.
     *
     * @param revoked what had been delivered of logs that are other ones now
     */
    public void installed(CertifiedState state, List<Entry> revoked) {
        objects.revoke(revoked);
        touched.touch(revoked, ObjectChange.Kind.REVOKED);
        ledgers.revoked(revoked, objects.requests());
        ledgers.installed(state);
        deliver();
    }

    /** Looks up entries by name, and proves that they stand in their origins' logs. For one thread. */
    private static final class HeldEntries {
        private final Logs logs;

        HeldEntries(Logs logs) {
            this.logs = logs;
        }

        Optional<Entry> find(Dot dot) {
            OriginLog log = logs.of(dot.origin());
            return dot.sequence() > log.pruned() && dot.sequence() <= log.size()
                    ? Optional.of(log.entry(dot.sequence()))
                    : Optional.empty();
        }

        /** The proof that an entry here breaks the rules, as it must; empty where what makes it is forgotten. */
        Optional<BrokenEntry> broken(Dot dot) {
            OriginLog log = logs.of(dot.origin());
            return dot.sequence() > log.pruned() && dot.sequence() <= log.size() && log.knowsLeaf(dot.sequence())
                    ? log.headOver(dot.sequence())
                            .filter(head -> log.knowsRoot(head.message().size()))
                            .map(head -> broken(log, dot.sequence(), head))
                    : Optional.empty();
        }

        private static BrokenEntry broken(OriginLog log, long sequence, Signed<Head> head) {
            InclusionProof proof = log.prove(sequence, head.message().size());
            return new BrokenEntry(head, new BrokenEntry.Included(log.encoded(sequence), proof), null);
        }
    }
}
