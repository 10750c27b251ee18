package org.aspas.bftcluster.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.Chain;
import org.aspas.bftcluster.FreeAddresses;
import org.aspas.bftcluster.engine.BareReplica;
import org.aspas.bftcluster.engine.ReplicaOptions;
import org.aspas.bftcluster.frame.Messages;
import org.aspas.bftcluster.proxy.OrderingProxy;
import org.aspas.bftcluster.proxy.ProxyOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What one message does to three correct replicas without their isolation layers: the state of things before containment. */
@Tag("attack")
class BareLibraryTest {
    private final List<BareReplica> engines = new ArrayList<>();
    private final List<Socket> connections = new ArrayList<>();

    @AfterEach
    void closeAll() throws IOException {
        for (Socket connection : connections) {
            connection.close();
        }
        engines.forEach(BareReplica::close);
    }

    @Test
    void s5OneMessageToEachStopsTheOrder() throws Exception {
        stopsTheOrder(Messages.serialized(Messages.accept(3, 5, new byte[16], "no map")));
    }

    private void stopsTheOrder(byte[] stream) throws Exception {
        List<InetSocketAddress> addresses = FreeAddresses.pairs(IsolatedCluster.N);
        for (int i = 0; i < 3; i++) {
            BareReplica engine = new BareReplica(
                    i,
                    addresses,
                    IsolatedCluster.QUORUMS,
                    IsolatedCluster.key(i),
                    IsolatedCluster.publicKeys(),
                    new Chain(),
                    new ReplicaOptions(2_000, 100, 50));
            engines.add(engine);
            engine.start();
        }
        List<DataOutputStream> links = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            engines.get(i).ready().toCompletableFuture().get(60, TimeUnit.SECONDS);
            links.add(introduced(addresses.get(i)));
        }
        try (OrderingProxy proxy =
                new OrderingProxy(addresses, IsolatedCluster.QUORUMS, new ProxyOptions(64, 15_000, 1 << 20, 500))) {
            assertThat(proxy.submit(new byte[] {1}).toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .hasSize(32);
            for (DataOutputStream link : links) {
                // No code: the library deserializes it all the same.
                byte[] frame = Messages.frame(stream, 0);
                link.write(Arrays.copyOf(frame, frame.length - 16));
            }
            // A link begins to read some time after its introduction: until then the order goes on.
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            assertThatThrownBy(() -> {
                        while (System.nanoTime() < deadline) {
                            proxy.submit(new byte[] {2}).toCompletableFuture().get(60, TimeUnit.SECONDS);
                        }
                    })
                    .hasMessageContaining("not enough equal answers");
        }
    }

    /** Connects as replica 3; its introduction can be had from anybody to whom it was ever given. */
    private DataOutputStream introduced(InetSocketAddress replica) throws IOException {
        Socket socket = new Socket(replica.getAddress(), replica.getPort() + 1);
        connections.add(socket);
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(3);
        out.write(Handshake.of(IsolatedCluster.key(3)));
        DataInputStream in = new DataInputStream(socket.getInputStream());
        in.readNBytes(in.readInt());
        in.readNBytes(in.readInt());
        return out;
    }
}
