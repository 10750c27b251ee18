package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** All appservers of a deployment started by as many threads at the same moment. */
class ConcurrentStartTest {
    @Test
    void everyServerServes() throws Exception {
        TestDeployment deployment = TestDeployment.admitting(Set.of());
        int servers = deployment.appserverKeys().size();
        CyclicBarrier together = new CyclicBarrier(servers);
        ExecutorService starters = Executors.newFixedThreadPool(servers);
        List<AppServer> started = new ArrayList<>();
        try {
            List<Future<AppServer>> starting = new ArrayList<>();
            for (int server = 0; server < servers; server++) {
                int index = server;
                starting.add(starters.submit(() -> {
                    together.await();
                    return AppServer.start(
                            deployment.descriptor(),
                            index,
                            deployment.appserverKeys().get(index),
                            AppServerOptions.defaults().withFreePorts("127.0.0.1"));
                }));
            }
            for (Future<AppServer> one : starting) {
                started.add(one.get(120, TimeUnit.SECONDS));
            }
            for (AppServer server : started) {
                assertThat(livez(server)).isEqualTo(200);
            }
        } finally {
            started.forEach(AppServer::close);
            starters.shutdownNow();
        }
    }

    private static int livez(AppServer server) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.httpAddress().getPort() + "/livez");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
