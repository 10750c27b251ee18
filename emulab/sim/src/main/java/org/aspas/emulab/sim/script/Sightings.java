package org.aspas.emulab.sim.script;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Role;
import org.aspas.certify.replica.Command;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.RequestName;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.VertObft;
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.Effect;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.ClientUpdate;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.invariant.Invariant;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.ClientNode;
import org.aspas.emulab.sim.world.ScriptLine;
import org.jspecify.annotations.Nullable;

/**
 * Makes events for a {@link Schedule} of the frames between servers and of all that guarantees are told. A party is a {@link NodeId}, a
 * {@link ClientNode}, or {@link #STRANGER}.
 */
abstract class Sightings extends Invariant {
    static final String STRANGER = "a Byzantine client";
    /** So far ahead, in microseconds, are clocks that are ahead. */
    static final long AHEAD = 400L * 24 * 3600 * Timeline.SECOND;

    /** The events that are no frames. Clients are correct ones, and appservers where they are not said to be any. */
    static final Set<String> SIGHTS = ScriptLine.all("""
            crashed restarted        # an appserver
            amnesiac                 # an appserver starts and knows that it forgot
            taken-back               # an appserver takes back the end of a log that is no prefix of what is certified
            forged-snapshot          # an appserver notices a wrong part of a snapshot, to the one that gave it
            certificate excluding    # an appserver adopts a certificate, or one that excludes somebody
            other-certificate        # an appserver adopts another content than was signed first under its number
            inspected differs        # an appserver judges an answer, or finds it wrong, to bad-clients if one asked
            convicted                # a bftserver convicts, to the appserver
            complained blamed        # a client complains of an appserver, or holds it for convicted, to that one
            left resubmitted         # a client leaves an appserver, or gives updates again to another one, to that one
            submitted reported       # a client is given an update, or tells that one failed
            request                  # a client sends a request under the key of the first one that did
            resent replayed          # a client sends again what was sent before the line counts, or what was confirmed
            answered added removed   # a client is told the answer to an add of the script, its confirmation, or that of a removal
            certified                # an appserver adopts a certificate with the first entry of an add of the script
            copied                   # a client starts on a copy of a record in which something is unconfirmed
            clock-ahead clock-right  # a client opens a session with its clock ahead, or right
            went-back                # any appserver has fewer own entries than it had
            high-report              # any appserver reports more of its log than it has shown
            old-proof                # a bftserver proves, in the order, another content than was signed under its number
            forked                   # under one dot of a liar all correct appservers were shown an entry, and not all the same
            beyond-the-cut           # an entry of an appserver depends on more of a liar's log than counts
            """);

    /** By certificate: the content that was signed first. */
    private final Map<Long, CertificateContent> signed = new TreeMap<>();
    /** By appserver: how many of its entries it has shown. */
    private final Map<NodeId, Long> shown = new HashMap<>();
    /** By appserver: how many entries of its own it had. */
    private final Map<NodeId, Long> owned = new HashMap<>();
    /** By liar and sequence: the dependencies that were shown, and to whom. */
    private final Map<List<Long>, Map<VersionVector, Set<Integer>>> variants = new HashMap<>();
    /** By liar: how much of its log an entry of a correct server depends on. */
    private final Map<Integer, Long> dependedOn = new TreeMap<>();

    private final Map<Integer, Long> cuts = new TreeMap<>();
    private final Set<Integer> started = new HashSet<>();
    /** By request: when it was first sent, in microseconds. */
    private final Map<RequestName, Long> sent = new HashMap<>();

    private final Set<RequestName> confirmed = new HashSet<>();
    private Epoch newestEpoch = Epoch.NONE;
    private long newestShare;
    private long newestAdopted;
    private @Nullable PublicKey key;
    /** What the script had a client add or remove last. */
    @Nullable
    ClientUpdate addition;

    @Nullable
    ClientUpdate removal;

    boolean removed;
    /** The first entry of what was added. */
    private @Nullable Dot entry;
    /** The run, once its parties are made. */
    SimulatedSystem system;

    /**
     * Watches a run.
     *
     * @param ordered whether anything in the run is ordered by events; else nothing is watched, as in most runs of a campaign
     */
    @SuppressWarnings("NullAway.Init") // The run is given before anything happens in it.
    Sightings(String name, boolean ordered) {
        super(name);
        if (!ordered) {
            return;
        }
        on(Fact.Ordered.class, fact -> ordered(fact.command()));
        on(Fact.Adopted.class, fact -> adopted(fact.server(), fact.certificate()));
        on(Fact.Started.class, fact -> started(fact.server(), fact.status()));
        on(Fact.Crashed.class, fact -> happened("crashed", NodeId.appserver(fact.server())));
        on(Fact.Alarmed.class, fact -> alarmed(fact.server(), fact.alarm()));
        on(
                Fact.Convicted.class,
                fact -> happened("convicted", NodeId.bftserver(fact.replica()), NodeId.appserver(fact.server())));
        on(Fact.Inspected.class, fact -> inspected(fact.server(), fact.reply()));
        on(Fact.SessionRecordSent.class, fact -> opened(fact.client(), fact.record()));
        on(Fact.RequestSent.class, fact -> sent(fact.client(), fact.request()));
        on(Fact.Submitted.class, fact -> happened("submitted", client(fact.update())));
        on(Fact.UpdateFailed.class, fact -> happened("reported", client(fact.update())));
        on(Fact.Answered.class, fact -> answered(fact.update(), fact.effect()));
        on(Fact.Confirmed.class, fact -> confirmed(fact.update(), fact.name()));
    }

    private ClientNode client(ClientUpdate update) {
        return system.clients.get(update.client());
    }

    /** Whether somebody waits for an event. */
    abstract boolean watched(String event);

    /**
     * An event has come about.
     *
     * @param to whom else it concerns
     * @param fresh whether no event of its kind was about the same before
     * @param certificate the number of the certificate that it is about, or 0
     * @param begun when that was first done which is done again, in microseconds; 0 for what is no repetition
     */
    abstract void happened(String event, Object by, @Nullable Object to, boolean fresh, long certificate, long begun);

    final void happened(String event, Object by) {
        happened(event, by, null);
    }

    private void happened(String event, Object by, @Nullable Object to) {
        happened(event, by, to, false, 0, 0);
    }

    // ---- Frames ----

    /** The number of the certificate that a message is about; 0 for none. */
    static long certificate(Message message) {
        return message instanceof Share share
                ? share.content().message().number().value()
                : 0;
    }

    final void look(NodeId from, NodeId to, Message message) {
        boolean fresh = false;
        if (message instanceof Share share
                && !system.participants.lyingReplicas().contains(from.index())) {
            fresh = certificate(share) > newestShare;
            newestShare = Math.max(newestShare, certificate(share));
            signed.putIfAbsent(certificate(share), share.content().message());
        } else if (message instanceof Stable stable) {
            fresh = stable.epoch().isAfter(newestEpoch);
            newestEpoch = fresh ? stable.epoch() : newestEpoch;
        } else if (message instanceof VertObft report
                && from.role() == Role.APPSERVER
                && report.version().get(from.index()) > shown.getOrDefault(from, 0L)) {
            happened("high-report", from);
        } else if (message instanceof Batch batch) {
            look(from, to, batch);
        }
        happened(message.kind().name(), from, to, fresh, certificate(message), 0);
    }

    /**
     * Looks every half millisecond how many entries of its own each appserver has, while faults last: one that comes back without its
     * last ones may have them again from its peers before it says anything.
     */
    void lookForLosses() {
        if (watched("went-back")) {
            system.timeline.every(
                    Timeline.MILLI / 2,
                    () -> system.timeline.now() < system.settings.micros(),
                    () -> system.servers.forEach(this::lookForLosses));
        }
    }

    private void lookForLosses(AppServerNode server) {
        server.core()
                .map(core -> core.version().get(server.id().index()))
                .filter(entries -> entries < owned.merge(server.id(), entries, Math::max))
                .ifPresent(entries -> happened("went-back", server.id()));
    }

    private void look(NodeId from, NodeId to, Batch batch) {
        if (batch.head().message().origin() == from.index()) {
            shown.merge(from, batch.head().message().size(), Math::max);
        }
        if (!system.participants.correct(to.index()) || !(watched("forked") || watched("beyond-the-cut"))) {
            return;
        }
        for (byte[] bytes : batch.entries()) {
            Optional<Entry> one = Codec.decode(bytes, Entry.class).accepted();
            int origin = one.map(known -> known.dot().origin()).orElse(-1);
            if (one.isPresent() && !system.participants.correct(origin)) {
                shown(origin, one.get(), from, to.index());
            } else if (one.isPresent() && origin == from.index()) {
                for (int liar : system.participants.liars()) {
                    dependedOn.merge(liar, one.get().dependencies().get(liar), Math::max);
                }
                lookAtCuts(from);
            }
        }
    }

    private void shown(int liar, Entry one, NodeId from, int to) {
        Map<VersionVector, Set<Integer>> known =
                variants.computeIfAbsent(List.of((long) liar, one.dot().sequence()), any -> new HashMap<>());
        known.computeIfAbsent(one.dependencies(), any -> new HashSet<>()).add(to);
        Set<Integer> all = new HashSet<>();
        known.values().forEach(all::addAll);
        if (known.size() > 1 && all.containsAll(system.participants.correctAppservers())) {
            happened("forked", from);
        }
    }

    private void lookAtCuts(NodeId by) {
        if (cuts.entrySet().stream().anyMatch(cut -> dependedOn.getOrDefault(cut.getKey(), 0L) > cut.getValue())) {
            happened("beyond-the-cut", by);
        }
    }

    // ---- Servers ----

    private void ordered(Command command) {
        if (command.frame().orElse(null) instanceof Frame.Sealed sealed
                && sealed.signed().message() instanceof Recover statement
                && statement.proven() != null) {
            CertificateContent known = signed.get(statement.proven().number().value());
            if (known != null && !known.equals(statement.proven().content())) {
                happened("old-proof", NodeId.bftserver(statement.replica()));
            }
        }
    }

    private void adopted(int server, Certificate certificate) {
        NodeId by = NodeId.appserver(server);
        CertificateContent content = certificate.content();
        long number = certificate.number().value();
        happened("certificate", by, null, number > newestAdopted, number, 0);
        newestAdopted = Math.max(newestAdopted, number);
        if (!content.equals(signed.getOrDefault(number, content))) {
            happened("other-certificate", by);
        }
        if (!content.exclusions().isEmpty()) {
            happened("excluding", by);
            for (Exclusion one : content.exclusions()) {
                cuts.put(one.origin(), one.cut());
            }
            lookAtCuts(by);
        }
        if (entry != null && content.version().covers(entry)) {
            happened("certified", by);
        }
    }

    private void started(int server, CoreStatus status) {
        if (!started.add(server)) {
            happened("restarted", NodeId.appserver(server));
        }
        if (status.state() == ServerState.AMNESIAC) {
            happened("amnesiac", NodeId.appserver(server));
        }
    }

    private void alarmed(int server, Alarm alarm) {
        if (alarm instanceof Alarm.LogTakenBack) {
            happened("taken-back", NodeId.appserver(server));
        } else if (alarm instanceof Alarm.ForgedSnapshot forged) {
            happened("forged-snapshot", NodeId.appserver(server), NodeId.appserver(forged.server()));
        }
    }

    private void inspected(int server, InspectReply reply) {
        Object asked = system.isCorrect(reply.client()) ? null : STRANGER;
        happened("inspected", NodeId.appserver(server), asked);
        if (reply.outcome() == InspectReply.Outcome.DIFFERS) {
            happened("differs", NodeId.appserver(server), asked);
        }
    }

    // ---- Clients ----

    /** A correct client tells its application what becomes of its updates and its servers. */
    final void told(ClientNode client, ClientEvent event) {
        if (event instanceof ClientEvent.Complained complained) {
            happened("complained", client, NodeId.appserver(complained.server()));
        } else if (event instanceof ClientEvent.Convicted convicted) {
            happened("blamed", client, NodeId.appserver(convicted.server()));
        } else if (event instanceof ClientEvent.Switched switched) {
            happened("left", client, NodeId.appserver(switched.from()));
        } else if (event instanceof ClientEvent.Resubmitted again
                && !again.numbers().isEmpty()) {
            happened("resubmitted", client, NodeId.appserver(again.server()));
        }
    }

    private void opened(int client, OpenSession record) {
        happened(record.client().opened() >= AHEAD ? "clock-ahead" : "clock-right", system.clients.get(client));
    }

    private void sent(int client, Request request) {
        ClientNode by = system.clients.get(client);
        RequestName name = RequestName.of(request);
        key = key == null ? request.client().key() : key;
        if (request.client().key().equals(key)) {
            happened("request", by);
        }
        Long begun = watched("resent") ? sent.putIfAbsent(name, system.timeline.now()) : null;
        if (begun != null) {
            happened("resent", by, null, false, 0, begun);
        }
        if (confirmed.contains(name)) {
            happened("replayed", by);
        }
    }

    private void answered(ClientUpdate update, Effect.Answered answered) {
        if (update.equals(addition)) {
            entry = entry == null ? answered.dot() : entry;
            happened("answered", client(update));
        }
    }

    private void confirmed(ClientUpdate update, RequestName name) {
        if (watched("replayed")) {
            confirmed.add(name);
        }
        removed |= update.equals(removal);
        if (update.equals(addition) || update.equals(removal)) {
            happened(update.equals(addition) ? "added" : "removed", client(update));
        }
    }
}
