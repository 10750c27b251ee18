package org.aspas.emulab.sim.script;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SignatureScheme;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.emulab.sim.adversary.Collusion;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.engine.Keyring;
import org.jspecify.annotations.Nullable;

/** The keys of a deployment and of its clients, all of them made from their owners' names. */
final class Identities {
    private final Settings settings;
    private final Hash deployment;
    private final Verifier verifier;
    /** What the cores sign and verify by, where that is counted. */
    private final @Nullable SignatureScheme counted;

    private final Map<ClientId, Integer> starts = new LinkedHashMap<>();
    private final List<PublicKey> appservers = new ArrayList<>();
    private final List<AgreementShare> agreements = new ArrayList<>();
    private final List<byte[]> secrets = new ArrayList<>();
    private final Map<AgreementShare, AgreementKey> sessions = new HashMap<>();
    private final List<PublicKey> bftservers = new ArrayList<>();
    private final Map<NodeId, PublicKey> nodes = new HashMap<>();

    /**
     * Makes the keys of a run.
     *
     * @param counted what the cores sign and verify by, if it is not the keyring's own scheme
     */
    Identities(Settings settings, @Nullable SignatureScheme counted) {
        this.settings = settings;
        this.counted = counted;
        for (int i = 0; i < settings.quorums().appservers(); i++) {
            agreements.add(agreement(i).share());
        }
        this.deployment = settings.keyring() == Keyring.REAL
                ? Hash.sha256(descriptor().text())
                : Hash.sha256(("deployment " + settings.f() + " " + settings.b()).getBytes(StandardCharsets.UTF_8));
        this.verifier = settings.keyring().verifier(deployment);
        for (int i = 0; i < settings.quorums().appservers(); i++) {
            appservers.add(sealer(NodeId.appserver(i)).publicKey());
            nodes.put(NodeId.appserver(i), appservers.get(i));
        }
        for (int i = 0; i < settings.quorums().bftservers(); i++) {
            bftservers.add(sealer(NodeId.bftserver(i)).publicKey());
            nodes.put(NodeId.bftserver(i), bftservers.get(i));
        }
    }

    /** The descriptor of the deployment, which is that of its signatures in runs with real ones. */
    DescriptorFile descriptor() {
        return SimulatedDescriptor.of(
                settings.quorums(),
                node -> settings.keyring().sealer(node.toString(), Hash.ZERO).publicKey(),
                agreements);
    }

    /** What verifies every signature of the deployment, for the cores. */
    Verifier verifier() {
        return counted == null ? verifier : new Verifier(deployment, counted);
    }

    private Sealer sealer(String name) {
        return counted == null
                ? settings.keyring().sealer(name, deployment)
                : settings.keyring().sealer(name, deployment, counted);
    }

    List<PublicKey> appservers() {
        return appservers;
    }

    List<PublicKey> bftservers() {
        return bftservers;
    }

    Map<NodeId, PublicKey> nodes() {
        return nodes;
    }

    Sealer sealer(NodeId node) {
        return sealer(node.toString());
    }

    Sealer client(int index) {
        return sealer("client-" + index);
    }

    Sealer badClient(String role) {
        return settings.keyring().sealer(role, deployment);
    }

    AgreementKey agreement(int appserver) {
        return AgreementKey.of(Hash.sha256(("agreement " + appserver).getBytes(StandardCharsets.UTF_8))
                .toBytes());
    }

    /** The public halves of the appservers' agreement keys, by index. */
    List<AgreementShare> agreements() {
        return agreements;
    }

    /** What Byzantine parties have together: a client, and what correct clients made for their sessions. */
    Collusion collusion() {
        return new Collusion(badClient(Roles.COLLUDING), agreements, this::stolen);
    }

    /** Takes down what a correct client made for a session. */
    byte[] secret(byte[] made) {
        secrets.add(made);
        return made;
    }

    private Optional<AgreementKey> stolen(AgreementShare share) {
        secrets.forEach(secret -> {
            AgreementKey key = AgreementKey.of(secret);
            sessions.put(key.share(), key);
        });
        secrets.clear();
        return Optional.ofNullable(sessions.get(share));
    }

    /** A new start of a correct client. */
    ClientId open(int index, PublicKey key, long now, long salt) {
        ClientId id = new ClientId(key, now, salt);
        starts.put(id, index);
        return id;
    }

    /** The index of the correct client whose start this is. */
    Optional<Integer> index(ClientId start) {
        return Optional.ofNullable(starts.get(start));
    }

    /** All starts of correct clients so far. */
    List<ClientId> starts() {
        return List.copyOf(starts.keySet());
    }

    /** Whether an appserver signed this head. */
    boolean isGenuine(Signed<Head> head) {
        int origin = head.message().origin();
        return origin >= 0 && origin < appservers.size() && head.verify(verifier, appservers.get(origin), Domain.HEAD);
    }

    /**
     * The descriptor of a run with real signatures: whoever has it can verify what the parties of the run signed, outside of the run and in
     * any language. Nobody listens at its addresses.
     */
    static final class SimulatedDescriptor {
        private static final String NAME = "simulated";
        private static final String HOST = "127.0.0.1";
        private static final int FIRST_PORT = 7100;
        private static final int PORTS = 10;

        private SimulatedDescriptor() {}

        /** Who signs the descriptors of runs. */
        static SigningKey operator() {
            return SigningKey.of(Hash.sha256("simulated operator".getBytes(StandardCharsets.UTF_8))
                    .toBytes());
        }

        static DescriptorFile of(Quorums quorums, Function<NodeId, PublicKey> keys, List<AgreementShare> agreements) {
            List<NodeDescription> nodes = new ArrayList<>();
            for (int i = 0; i < quorums.appservers(); i++) {
                NodeId id = NodeId.appserver(i);
                int port = FIRST_PORT + PORTS * i;
                nodes.add(new NodeDescription(
                        id, keys.apply(id), HOST, port, port + 1, port + 2, false, agreements.get(i), new byte[0]));
            }
            for (int i = 0; i < quorums.bftservers(); i++) {
                NodeId id = NodeId.bftserver(i);
                int port = FIRST_PORT + PORTS * (quorums.appservers() + i);
                nodes.add(new NodeDescription(id, keys.apply(id), HOST, port, 0, new byte[] {(byte) i}));
            }
            return DescriptorFile.sign(operator(), NAME, quorums, nodes, Set.of(), Limits.DEFAULT);
        }
    }
}
