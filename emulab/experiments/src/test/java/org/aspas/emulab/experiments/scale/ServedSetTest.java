package org.aspas.emulab.experiments.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Quorums;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.Update;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real nodes in this process, and a set of several pages. */
class ServedSetTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ELEMENTS = 300;
    private static final int ROUNDS = 2;

    private Cluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = Cluster.start(new Quorums(1, 1));
        cluster.awaitReady(PATIENCE);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private ServedSet served(String key) {
        return new ServedSet(cluster.access(), key, ROUNDS, ProcessHandle.current());
    }

    /** Integers from 0 on. */
    private void add(int elements) throws Exception {
        try (AspasClient client = cluster.client(1, ClientOptions.defaults())) {
            List<Update> made = new ArrayList<>();
            for (int element = 0; element < elements; element++) {
                made.add(client.set("large").add(Value.of(element)));
            }
            for (Update update : made) {
                update.confirmed().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void everythingIsMeasuredAsOftenAsAskedFor() throws Exception {
        add(ELEMENTS);
        SetCosts costs = served("large").measure();
        assertThat(costs.elements()).isEqualTo(ELEMENTS);
        assertThat(costs.times())
                .extracting(Sample::name)
                .containsExactly(
                        "1 added: until all are answered",
                        "1 added: until all are certified",
                        "100 added: until all are answered",
                        "100 added: until all are certified",
                        "first page, proved and verified",
                        "next page, proved and verified",
                        "an element that is there, proved and verified",
                        "an element that is not, proved and verified");
        assertThat(costs.times())
                .filteredOn(sample -> !sample.name().startsWith("next"))
                .allMatch(sample -> sample.count() == ROUNDS && sample.quantile(0.5) > 0);
        assertThat(costs.certificates())
                .extracting(SetCosts.CertificateCost::atOnce)
                .containsExactly(1, 100);
        assertThat(costs.certificates()).allMatch(one -> one.certificates() > 0 && one.processorMillis() > 0);
        assertThat(costs.pageElements()).isPositive();
        assertThat(costs.elementProofBytes()).isPositive().isLessThan(costs.pageProofBytes());
        assertThat(costs.lines()).hasSize(1 + costs.times().size() + 2 + 3);
    }

    @Test
    void aSetWithoutElementsIsNamed() throws Exception {
        add(1);
        assertThatThrownBy(() -> served("nobody added to this").measure())
                .isInstanceOf(IOException.class)
                .hasMessage("nobody added to this has no elements");
    }
}
