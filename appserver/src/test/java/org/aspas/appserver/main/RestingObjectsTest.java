package org.aspas.appserver.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.aspas.appserver.port.MachineMaker;
import org.aspas.appserver.store.Durability;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreOptions;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a real store reads resting objects before its core is asked about them. */
class RestingObjectsTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path data;

    private AppServer start(long resting) throws Exception {
        TestDeployment deployment = TestDeployment.admitting(Set.of());
        SigningKey key = deployment.appserverKeys().get(0);
        NodeId self = NodeId.appserver(0);
        StoreOwner owner = new StoreOwner(deployment.descriptor().id(), self, key.publicKey());
        JournalStore.make(data, owner);
        MachineMaker machine = (settings, records, store, links) -> {
            records.reader().rest(resting);
            return MachineMaker.CORE.make(settings, records, store, links);
        };
        return AppServer.start(
                deployment.descriptor(),
                0,
                key,
                AppServerOptions.defaults()
                        .withFreePorts("127.0.0.1")
                        .withStore(new StoreOptions(data, Durability.SYNC))
                        .withMachine(machine));
    }

    private static long readAhead(AppServer server) throws Exception {
        return server.status()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS)
                .gauges()
                .getOrDefault("objects_read_ahead", -1L);
    }

    private static int read(AppServer server, String key) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.httpAddress().getPort() + "/v1/counters/" + key);
        return HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void anObjectThatRestsIsReadFirst() throws Exception {
        try (AppServer server = start(1)) {
            assertThat(readAhead(server)).isZero();
            int known = read(server, "likes");
            assertThat(readAhead(server)).isEqualTo(1);
            assertThat(read(server, "likes")).isEqualTo(known);
            assertThat(readAhead(server)).as("it is in memory now").isEqualTo(1);
        }
    }

    @Test
    void whereNoneRestsNoneIsRead() throws Exception {
        try (AppServer server = start(0)) {
            read(server, "likes");
            assertThat(readAhead(server)).isZero();
        }
    }
}
