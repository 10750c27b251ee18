package org.aspas.emulab.testbed.attack;

import java.util.List;
import java.util.Map;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.AppServerMachine;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.ObjectQueries;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Verdict;
import org.jspecify.annotations.Nullable;

/** A correct appserver's core, whose dealings with evidence are told to a watch. For the thread that drives it. */
final class WatchedMachine implements AppServerMachine {
    private static final int REMEMBERED = 1_000;

    private final int index;
    private final AppServerCore core;
    private final ServerWatch watch;
    private final Map<Hash, String> sources = new BoundedMap<>(REMEMBERED);
    private @Nullable Certificate seen;

    WatchedMachine(int index, AppServerCore core, ServerWatch watch) {
        this.index = index;
        this.core = core;
        this.watch = watch;
    }

    @Override
    public List<Effect> step(Event event) {
        remember(event);
        List<Effect> effects = core.step(event);
        for (Effect effect : effects) {
            if (effect instanceof Effect.ToNode sent && sent.message() instanceof Evidence evidence) {
                watch.evidence(evidence, sources.getOrDefault(Digests.evidence(evidence), "appserver-" + index));
            } else if (effect instanceof Effect.ToNodeSigned sent
                    && sent.signed().message() instanceof Verdict verdict) {
                watch.verdict(index, verdict.evidence());
                if (!verdict.verdicts().isEmpty()) {
                    watch.findings(verdict.evidence(), Codec.encode(sent.signed()));
                }
            }
        }
        Certificate newest = core.newestCertificate().orElse(null);
        if (newest != null && newest != seen) {
            seen = newest;
            watch.certificate(index, newest);
        }
        return effects;
    }

    /** From whom evidence came first; what came from nobody, the server found itself. */
    private void remember(Event event) {
        if (event instanceof Event.ClientFrame client && client.frame().message() instanceof Complain complain) {
            sources.putIfAbsent(Digests.evidence(complain.evidence()), "a client's complaint");
        } else if (event instanceof Event.NodeFrame node && node.frame().message() instanceof Evidence evidence) {
            sources.putIfAbsent(Digests.evidence(evidence), node.from().toString());
        }
    }

    @Override
    public CoreStatus status() {
        return core.status();
    }

    @Override
    public ObjectQueries objects() {
        return core.objects();
    }
}
