package org.aspas.bftcluster.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The port of a bftserver's figures, asked on bare sockets. */
class MetricsPortTest {
    private static final int PATIENCE_MILLIS = 60_000;

    private MetricsPort port;

    @BeforeEach
    void open() throws IOException {
        port = MetricsPort.open(new InetSocketAddress("127.0.0.1", 0), () -> "figures 1\n");
    }

    @AfterEach
    void close() {
        port.close();
    }

    private Socket connect(String bytes) throws IOException {
        Socket socket = new Socket("127.0.0.1", port.address().getPort());
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private String ask(String line) throws IOException {
        try (Socket socket = connect(line + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void figuresAndNothingElse() throws Exception {
        assertThat(ask("GET /metrics")).startsWith("HTTP/1.1 200 ").endsWith("figures 1\n");
        assertThat(ask("GET /livez")).startsWith("HTTP/1.1 200 ").endsWith("ok\n");
        assertThat(ask("HEAD /metrics")).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n");
        assertThat(ask("POST /metrics"))
                .startsWith("HTTP/1.1 405 ")
                .contains("Allow: GET, HEAD")
                .endsWith("GET or HEAD.\n");
        for (String path : List.of("/", "/metrics/", "/metricsx", "/x/../metrics", "//metrics", "/metric%73")) {
            assertThat(ask("GET " + path)).as(path).startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void theOldHttpHasNoChunkedBodies() throws Exception {
        try (Socket socket = connect("GET /metrics HTTP/1.0\r\nConnection: keep-alive\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /livez HTTP/1.0\r\n\r\n")) {
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 400 ")
                    .endsWith("HTTP/1.0 has no chunked bodies.\n");
        }
    }

    /** A few requests that do not arrive keep nobody out. */
    @Test
    void whoIsSlowKeepsNobodyOut() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                slow.add(connect("GET /metr"));
            }
            assertThat(ask("GET /livez")).startsWith("HTTP/1.1 200 ");
        } finally {
            for (Socket one : slow) {
                one.close();
            }
        }
    }
}
