package org.aspas.client.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.CounterValue;
import org.aspas.client.api.ElementType;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.TypedSet;
import org.aspas.client.api.Update;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an application's test does with a real cluster. The test with the attack comes last, for its cluster is not the same again. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AspasExtensionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int LIAR = 3;

    @RegisterExtension
    static final AspasExtension ASPAS = AspasExtension.cluster().withLiar(LIAR, "forking");

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static final class Queue implements Flow.Subscriber<CounterValue> {
        final LinkedBlockingQueue<CounterValue> values = new LinkedBlockingQueue<>();

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(CounterValue value) {
            values.add(value);
        }

        @Override
        public void onError(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void onComplete() {
            // The values are what counts.
        }
    }

    @Test
    @Order(1)
    void aFolderAndANameAreAllThatAClientNeeds() throws Exception {
        try (AspasClient client = AspasClient.connect(ASPAS.folder(), "alice")) {
            Queue seen = new Queue();
            client.counter("likes/42").watch(Duration.ofMillis(20)).subscribe(seen);
            Update like = client.counter("likes/42").within(PATIENCE).increment(3);
            assertThat(get(like.answered()).counter()).hasValue(3);
            await().atMost(PATIENCE)
                    .until(() -> seen.values.stream()
                            .anyMatch(value ->
                                    value.local() == 3 && value.uncertified().orElse(-1) == 0));
            get(like.confirmed());
            assertThat(get(client.counter("likes/42").get(ReadLevel.CERTIFIED)).value())
                    .isEqualTo(3);
        }
    }

    @Test
    @Order(2)
    void elementsHaveTheirJavaTypes() throws Exception {
        AspasClient client = ASPAS.client(ClientOptions.defaults().withServer(1));
        TypedSet<String> comments = client.set("comments/42", ElementType.TEXT);
        get(comments.add("well said").confirmed());
        assertThat(get(comments.get(ReadLevel.CERTIFIED)).value()).containsExactly("well said");
        assertThat(get(comments.contains("well said", ReadLevel.CERTIFIED)).value())
                .isTrue();
        assertThat(get(comments.firstPage()).value()).containsExactly("well said");
        assertThatThrownBy(
                        () -> get(client.set("comments/42", ElementType.INTEGER).get(ReadLevel.CERTIFIED)))
                .hasMessageContaining("comments/42")
                .hasMessageContaining("is not an integer");
    }

    @Test
    @Order(3)
    void serversServeHttpToo() throws Exception {
        HttpResponse<String> ready = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(ASPAS.http(0).resolve("/livez")).build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(ready.statusCode()).isEqualTo(200);
    }

    /** A fork needs clients that see different histories. */
    @Test
    @Order(4)
    void anAttackIsSurvived() throws Exception {
        ClientOptions guarded =
                ClientOptions.defaults().withServer(LIAR).withPatience(Duration.ofSeconds(2), Duration.ofSeconds(2));
        List<AspasClient> victims = List.of(ASPAS.client(guarded), ASPAS.client(guarded), ASPAS.client(guarded));
        List<Update> updates = new ArrayList<>();
        for (AspasClient victim : victims) {
            updates.add(victim.counter("attacked").increment(1));
            get(updates.get(updates.size() - 1).confirmed());
        }
        ASPAS.attack();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).until(() -> {
            victims.forEach(victim -> updates.add(victim.counter("attacked").increment(1)));
            return victims.stream().noneMatch(victim -> victim.server() == LIAR);
        });
        for (Update update : updates) {
            get(update.confirmed());
        }
        await().atMost(PATIENCE)
                .until(() -> get(victims.get(0).counter("attacked").get(ReadLevel.CERTIFIED))
                                .value()
                        == updates.size());
    }
}
