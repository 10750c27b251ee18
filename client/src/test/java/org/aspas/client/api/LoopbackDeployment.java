package org.aspas.client.api;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.aspas.client.ScriptedServer;

/** A deployment whose appserver 0 is scripted and reached without a network, with a folder of it if one is asked for. */
final class LoopbackDeployment implements AutoCloseable {
    static final SigningKey OPERATOR = ScriptedServer.key(250);

    final ClientResources resources = ClientResources.create(2);
    final DescriptorFile file;
    final Descriptor descriptor;
    final ScriptedServer server;
    final LoopbackTransport transport;

    LoopbackDeployment() throws DescriptorFile.InvalidDescriptor {
        List<NodeDescription> nodes = new ArrayList<>();
        for (int i = 0; i < ScriptedServer.SERVERS; i++) {
            SigningKey key = i == 0 ? ScriptedServer.SERVER_KEY : ScriptedServer.key(100 + i);
            nodes.add(new NodeDescription(NodeId.appserver(i), key.publicKey(), "localhost", 0, 1, new byte[0]));
            nodes.add(new NodeDescription(
                    NodeId.bftserver(i), ScriptedServer.BFT_KEYS.get(i).publicKey(), "localhost", 0, 1, new byte[] {1
                    }));
        }
        file = DescriptorFile.sign(OPERATOR, "test", ScriptedServer.QUORUMS, nodes, Set.of(), Limits.DEFAULT);
        descriptor = file.open(OPERATOR.publicKey());
        server = new ScriptedServer(descriptor.id());
        transport = new LoopbackTransport(server);
    }

    /** Begins at the scripted server, with a key that nothing keeps. */
    ClientOptions options() {
        return anyKey().withEphemeralKey();
    }

    /** Begins at the scripted server, and says nothing of the key. */
    ClientOptions anyKey() {
        return ClientOptions.defaults()
                .withServer(0)
                .withResources(resources)
                .withTransport((index, real) -> index == 0 ? transport : real);
    }

    AspasClient client(ClientOptions options) {
        return AspasClient.connectEphemeral(descriptor, options);
    }

    /** Writes what clients need. */
    Path write(Path folder) throws IOException {
        HexFormat hex = HexFormat.of();
        Files.createDirectories(folder);
        Files.write(folder.resolve("deployment.json"), file.text());
        Files.writeString(folder.resolve("deployment.json.sig"), hex.formatHex(file.signature()) + "\n");
        Files.writeString(folder.resolve("operator.pub"), OPERATOR.publicKey() + "\n");
        return folder;
    }

    static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(300, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        resources.close();
    }
}
