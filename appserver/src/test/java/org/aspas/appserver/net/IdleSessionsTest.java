package org.aspas.appserver.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.appserver.core.state.ClientAdmission;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.http.HttpLimits;
import org.aspas.appserver.port.ClientOutlet;
import org.aspas.appserver.port.ClientPort;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.junit.jupiter.api.Test;

/** A session that has sent and got much, and does nothing now, holds no buffer. */
class IdleSessionsTest {
    private static final int SESSIONS = 256;
    private static final int MUCH = 200_000;
    private static final long MOST_EACH = 65_536;

    /** Answers everything with a long text. */
    private static final class Talkative implements ClientPort {
        final AtomicLong opened = new AtomicLong();
        final Map<ConnectionId, ClientOutlet> outlets = new ConcurrentHashMap<>();

        @Override
        public ConnectionId open(ClientOutlet outlet) {
            ConnectionId connection = new ConnectionId(opened.incrementAndGet());
            outlets.put(connection, outlet);
            return connection;
        }

        @Override
        public CompletionStage<?> receive(ConnectionId connection, Frame frame) {
            outlets.get(connection).send(new Refusal(1, true, Refusal.Reason.BUSY, "b".repeat(MUCH)));
            return CompletableFuture.completedFuture("done");
        }

        @Override
        public void close(ConnectionId connection) {
            outlets.remove(connection);
        }

        @Override
        public CompletionStage<CoreStatus> status() {
            return new CompletableFuture<>();
        }
    }

    private static Socket talked(SessionPort port) throws IOException {
        Socket socket = new Socket("127.0.0.1", port.address().getPort());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        byte[] frame = Codec.encode(new Read(1, "k".repeat(MUCH), "pn-counter", false, CertificateNumber.NONE));
        out.write("ASPAS/1\n".getBytes(StandardCharsets.US_ASCII));
        out.writeInt(frame.length);
        out.write(frame);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        in.skipNBytes(in.readInt());
        return socket;
    }

    /** The live heap, and what Netty has of memory outside of it. */
    private static long memory() {
        System.gc();
        Runtime machine = Runtime.getRuntime();
        ByteBufAllocatorMetric buffers = ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric();
        return machine.totalMemory() - machine.freeMemory() + buffers.usedDirectMemory() + buffers.usedHeapMemory();
    }

    @Test
    void anIdleSessionHoldsNoBuffer() throws Exception {
        List<Socket> sockets = new ArrayList<>();
        try (SessionPort port = new SessionPort(
                new InetSocketAddress("127.0.0.1", 0),
                new Conversations(
                        new Talkative(),
                        new ClientAdmission(new Verifier(Hash.ZERO), client -> true, 1, false),
                        HttpLimits.defaults().conversations(),
                        null),
                null)) {
            sockets.add(talked(port));
            long before = memory();
            while (sockets.size() <= SESSIONS) {
                sockets.add(talked(port));
            }
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat((memory() - before) / SESSIONS)
                            .as("bytes")
                            .isLessThan(MOST_EACH));
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }
}
