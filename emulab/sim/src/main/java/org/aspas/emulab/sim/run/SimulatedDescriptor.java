package org.aspas.emulab.sim.run;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.quorum.Quorums;

/**
 * The descriptor of a run with real signatures: whoever has it can verify what the parties of the run signed, outside of the run and in
 * any language. Nobody listens at its addresses.
 */
final class SimulatedDescriptor {
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
