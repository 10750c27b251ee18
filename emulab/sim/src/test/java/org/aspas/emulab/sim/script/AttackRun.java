package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Verdict;
import org.aspas.emulab.sim.engine.Keyring;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.ClientNode;
import org.aspas.emulab.sim.node.Wire;
import org.jspecify.annotations.Nullable;

/**
 * One party with a Byzantine role in a run with real signatures and a working network, and the evidence that correct appservers send to
 * other servers. It is a function of role and seed.
 */
final class AttackRun {
    private static final int CLIENTS = 12;
    private static final long PAUSE = 300 * Timeline.MILLI;
    private static final long WORK = 20 * Timeline.SECOND;
    private static final long LAST = 60 * Timeline.SECOND;
    /** What is told a little later may be evidence of another kind. */
    private static final long MORE = Timeline.SECOND;

    /**
     * A piece of evidence as a server sent it.
     *
     * @param evidence what it says
     * @param verdict the signed command for the bftservers in which it was; null for what went to an appserver
     */
    record Piece(Evidence evidence, @Nullable Signed<Verdict> verdict) {}

    private final SimulatedSystem system;
    private final List<Piece> pieces = new ArrayList<>();
    private final Set<Kind> kinds = new TreeSet<>();

    private AttackRun(Settings settings) {
        this.system = new SimulatedSystem(settings, List.of());
    }

    /** The descriptor of all runs. */
    static DescriptorFile descriptor() {
        return new SimulatedSystem(settings("silent", 1), List.of()).descriptor();
    }

    private static Settings settings(String role, long seed) {
        return Settings.of(seed)
                .withRoles(List.of(role))
                .withClients(CLIENTS, PAUSE)
                .withFaults(Set.of(), Timeline.SECOND)
                .withMicros(WORK)
                .withWary(true)
                .withKeyring(Keyring.REAL);
    }

    /** The first piece of each kind of evidence against the Byzantine party, until no other kind comes for a while. */
    static List<Piece> pieces(String role, long seed) {
        AttackRun run = new AttackRun(settings(role, seed));
        run.go();
        return run.pieces;
    }

    private void go() {
        system.world.network().gate(this::passes);
        new FaultDriver(system).start();
        for (ClientNode client : system.clients) {
            client.work(WORK, PAUSE);
        }
        long until = LAST;
        int found = 0;
        while (system.timeline.step(until) && !system.world.monitor().violated()) {
            if (pieces.size() > found) {
                found = pieces.size();
                until = system.timeline.now() + MORE;
            }
        }
        if (system.world.monitor().violated()) {
            throw new IllegalStateException(system.world.monitor().violations().toString());
        }
    }

    /** Looks at a frame, and keeps nothing back. */
    private boolean passes(NodeId from, NodeId to, Wire wire) {
        @Nullable Frame frame = wire.decoded().accepted().orElse(null);
        if (from.role() != Role.APPSERVER || system.participants.lies(from.index())) {
            return false;
        }
        if (frame instanceof Frame.Sealed sealed) {
            sealed.signed()
                    .as(Verdict.class)
                    .ifPresent(verdict -> take(new Piece(verdict.message().evidence(), verdict)));
        } else if (frame instanceof Frame.Plain plain
                && plain.message() instanceof Evidence evidence
                && evidence.accused() instanceof Accused.Client) {
            take(new Piece(evidence, null));
        }
        return false;
    }

    private void take(Piece piece) {
        if (kinds.add(piece.evidence().kind())) {
            pieces.add(piece);
        }
    }
}
