package org.aspas.emulab.sim.script;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Sealer;
import org.aspas.client.core.CertificateCheck;
import org.aspas.client.core.ClientCore;
import org.aspas.client.core.ClientSettings;
import org.aspas.client.core.ClientState;
import org.aspas.client.core.Policy;
import org.aspas.client.core.Tagging;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.invariant.Participants;
import org.aspas.emulab.sim.node.Application;
import org.aspas.emulab.sim.node.ClientNode;
import org.aspas.emulab.sim.node.Figures;
import org.aspas.emulab.sim.node.ProcessorModel;
import org.aspas.emulab.sim.node.Processors;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.node.World;

/** Makes the correct clients of a run. */
final class ClientFactory {
    /** Clients at correct servers inspect and stay, so that it shows whether they are served; the others may leave. */
    private static final Policy LOYAL = new Policy(false, 5_000, 5_000, 2_000, 0.05, 60);

    private static final Policy WARY = new Policy(true, 5_000, 5_000, 2_000, 0.05, 60);

    /** Inspects everything: where all that a liar does is proof, it is found. */
    private static final Policy WATCHFUL = new Policy(true, 5_000, 5_000, 2_000, 1, 6_000);

    private final Settings settings;
    private final Participants participants;
    private final Identities identities;
    private final World world;
    private final Schedule schedule;
    private final Observations observations;
    private final EvidenceJudge judge;
    private final CertificateVerifier verifier;
    /** By process: the clients of one verify a certificate once. */
    private final Map<Integer, CertificateCheck> checks = new HashMap<>();

    ClientFactory(
            Settings settings,
            Participants participants,
            Identities identities,
            World world,
            Schedule schedule,
            Observations observations) {
        this.settings = settings;
        this.participants = participants;
        this.identities = identities;
        this.world = world;
        this.schedule = schedule;
        this.observations = observations;
        this.judge = new EvidenceJudge(
                settings.quorums(), identities.appservers(), identities.bftservers(), identities.verifier());
        this.verifier = new CertificateVerifier(settings.quorums(), identities.bftservers(), identities.verifier());
    }

    /** A client that does not run yet. */
    ClientNode client(int index, Figures figures) {
        int home = participants.homes().getOrDefault(index, 0);
        Sealer sealer = identities.client(schedule.has("one-key") ? 0 : index);
        SeededRandom own = world.chance().stream("application " + index);
        long drawn = own.pick(Application.TOLERANCES);
        OptionalLong wanted = wanted(index);
        List<Long> tolerances = wanted.isPresent() ? List.of(wanted.getAsLong()) : Application.TOLERANCES;
        SeededRandom choices = world.chance().stream("choices " + index);
        SeededRandom salts = world.chance().stream("salts " + index);
        SeededRandom secrets = world.chance().stream("secrets " + index);
        return new ClientNode(
                world,
                index,
                NodeId.appserver(home),
                new Application(
                        world, index, new Workload(index, own, settings.workload()), wanted.orElse(drawn), tolerances),
                NodeFactory.clock(settings, world, "client-" + index),
                figures,
                observations,
                (record, set) -> core(index, sealer, record, set, choices, salts, secrets));
    }

    private Tagging tagging(SeededRandom secrets) {
        TagBounds bounds = TagBounds.of(settings);
        return new Tagging(
                identities.agreements(),
                () -> identities.secret(secrets.bytes(AgreementShare.LENGTH)),
                bounds.keyMillis(),
                bounds.known().worthwhile());
    }

    private OptionalLong wanted(int client) {
        ProcessorModel model = settings.processors();
        if (settings.tolerance().isPresent()) {
            return settings.tolerance();
        }
        return model == null
                ? OptionalLong.empty()
                : OptionalLong.of(model.system().tolerance(client, settings.clients()));
    }

    private ClientCore core(
            int index,
            Sealer sealer,
            ClientState record,
            long tolerance,
            SeededRandom choices,
            SeededRandom salts,
            SeededRandom secrets) {
        int home = participants.homes().getOrDefault(index, 0);
        Processors processors = world.processors();
        CertificateCheck check = checks.computeIfAbsent(
                processors == null ? 0 : processors.machineOfClient(index), process -> check(verifier));
        ClientSettings core = new ClientSettings(
                identities.verifier(),
                judge,
                settings.quorums(),
                identities.appservers(),
                home,
                identities.open(
                        index,
                        sealer.publicKey(),
                        world.timeline().now()
                                + schedule.clockAhead(world.timeline().now()),
                        salts.generator().nextLong()),
                new ClientSettings.Bounds(
                        256, 16, 4096, 64, 512, Limits.DEFAULT.operationBytes() + Limits.DEFAULT.keyBytes(), 5_000),
                policy(home),
                processors == null,
                tagging(secrets));
        return new ClientCore(core, sealer, check, record, tolerance, choices.generator());
    }

    private Policy policy(int home) {
        if (settings.processors() != null) {
            return settings.wary() ? Policy.USUAL : Policy.STAY; // As the clients of bench do.
        }
        if (RoleAssignment.isCalm(settings) || schedule.has("watchful")) {
            return WATCHFUL;
        }
        return participants.correct(home) && !settings.wary() ? LOYAL : WARY;
    }

    /** Verifies each certificate once for all clients of the run. */
    private static CertificateCheck check(CertificateVerifier verifier) {
        Map<Hash, Certificate> genuine = new HashMap<>();
        return certificate -> {
            Certificate known = genuine.get(certificate.hash());
            if (known != null) {
                return new CertificateCheck.Verdict.Genuine(known);
            }
            Optional<String> wrong = verifier.verify(certificate);
            if (wrong.isPresent()) {
                return new CertificateCheck.Verdict.Wrong(wrong.get());
            }
            genuine.put(certificate.hash(), certificate);
            return new CertificateCheck.Verdict.Genuine(certificate);
        };
    }
}
