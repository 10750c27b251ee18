package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.aspas.appserver.core.state.AppServerMachine;
import org.aspas.appserver.core.state.BaseImage;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.ObjectQueries;
import org.aspas.appserver.port.MachineMaker;
import org.aspas.appserver.store.Durability;
import org.aspas.appserver.store.JournalStore;
import org.aspas.appserver.store.StoreOptions;
import org.aspas.appserver.store.StoreOwner;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.CertificateNumber;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a real store reads resting objects before its core is asked about them. */
class RestingObjectsTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path data;

    /** What a server keeps of which one object rests. */
    private record Image() implements BaseImage {
        @Override
        public CertificateNumber number() {
            return CertificateNumber.FIRST;
        }

        @Override
        public byte[] head() {
            return new byte[] {1};
        }

        @Override
        public void changesSince(@Nullable BaseImage before, Changes changes) {
            // Nothing.
        }

        @Override
        public boolean rests(String key) {
            return key.equals("likes");
        }
    }

    /** The core, and at its beginning the image. */
    private record Machine(AppServerMachine core, AtomicBoolean begun) implements AppServerMachine {
        @Override
        public List<Effect> step(Event event) {
            List<Effect> effects = new ArrayList<>(core.step(event));
            if (begun.compareAndSet(false, true)) {
                effects.add(new Effect.Keep(new Image(), false));
            }
            return effects;
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

    private AppServer start(long resting) throws Exception {
        TestDeployment deployment = TestDeployment.admitting(Set.of());
        SigningKey key = deployment.appserverKeys().get(0);
        StoreOwner owner = new StoreOwner(deployment.descriptor().id(), NodeId.appserver(0), key.publicKey());
        JournalStore.make(data, owner);
        AtomicBoolean begun = new AtomicBoolean();
        MachineMaker machine = (settings, records, store, links) -> {
            records.reader().rest(resting);
            return new Machine(MachineMaker.CORE.make(settings, records, store, links), begun);
        };
        AppServer server = AppServer.start(
                deployment.descriptor(),
                0,
                key,
                AppServerOptions.defaults()
                        .withFreePorts("127.0.0.1")
                        .withStore(new StoreOptions(data, Durability.SYNC))
                        .withMachine(machine));
        Awaitility.await().atMost(Duration.ofMinutes(5)).untilTrue(begun);
        // What follows the step that began is behind it.
        assertThat(readAhead(server)).isZero();
        return server;
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
    void anObjectThatRestsIsReadFirstAndNoOtherOne() throws Exception {
        try (AppServer server = start(1)) {
            assertThat(read(server, "likes")).isEqualTo(200);
            assertThat(readAhead(server)).isEqualTo(1);
            assertThat(read(server, "views")).isEqualTo(200);
            assertThat(readAhead(server)).isEqualTo(1);
        }
    }

    @Test
    void whereNoneRestsNoneIsRead() throws Exception {
        try (AppServer server = start(0)) {
            assertThat(read(server, "likes")).isEqualTo(200);
            assertThat(readAhead(server)).isZero();
        }
    }
}
