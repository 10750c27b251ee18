package org.aspas.emulab.experiments.scale;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.client.api.AddWinsSet;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.ReadResult;
import org.aspas.client.api.Update;
import org.aspas.client.core.ElementsRead;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.testbed.cluster.AppserverAccess;

/**
 * What a large set costs: updates of one element and of many, until they are answered and until a certificate that the client
 * verified covers them; one element proved, and pages. A client of its own asks appserver 0. For one thread.
 */
public final class ServedSet {
    private static final long PATIENCE_SECONDS = 60;
    private static final int MANY = 100;
    private static final int PAGES = 20;

    /** Elements that are read again come from all over the pages. */
    private static final int STRIDE = 7;

    private final AppserverAccess access;
    private final String key;
    private final int rounds;
    private final ProcessHandle server;
    private final List<Sample> times = new ArrayList<>();
    private final List<SetCosts.CertificateCost> certificates = new ArrayList<>();
    private final Set<Value> seen = new LinkedHashSet<>();
    private final Mean pageElements = new Mean();
    private final Mean pageBytes = new Mean();
    private final Mean elementBytes = new Mean();

    private static final class Mean {
        private double sum;
        private long count;

        void add(double value) {
            sum += value;
            count++;
        }

        double value() {
            return count == 0 ? 0 : sum / count;
        }
    }

    /**
     * A set that servers hold.
     *
     * @param rounds how often each thing is done, from 1
     * @param server the process of appserver 0
     */
    public ServedSet(AppserverAccess access, String key, int rounds, ProcessHandle server) {
        this.access = access;
        this.key = key;
        this.rounds = rounds;
        this.server = server;
    }

    /**
     * Measures. To be called once.
     *
     * @throws IOException when a server cannot be asked, or an answer does not come in time, or the set has no elements
     */
    public SetCosts measure() throws IOException, InterruptedException {
        try (AspasClient client = access.client(0, ClientOptions.defaults())) {
            done(client.ready());
            AddWinsSet set = client.set(key);
            long elements = elements(done(set.firstPage()));
            if (elements == 0) {
                throw new IOException(key + " has no elements");
            }
            updates(set, 1);
            updates(set, MANY);
            pages(set);
            elements(set);
            return new SetCosts(
                    elements, times, certificates, pageElements.value(), pageBytes.value(), elementBytes.value());
        } catch (ExecutionException | TimeoutException failed) {
            throw new IOException("the servers do not answer for " + key + ": " + failed, failed);
        }
    }

    /** How many elements the whole set has. */
    private static long elements(ReadResult<Set<Value>> page) {
        ElementsRead all = page.elements();
        return all == null ? 0 : all.size();
    }

    /** The bytes of all that proves what was read. */
    private static int proof(ReadResult<?> read) {
        return Objects.requireNonNull(read.proof(), "a certified read has a proof")
                .toBytes()
                .length;
    }

    private Sample sample(String name) {
        Sample made = new Sample(name);
        times.add(made);
        return made;
    }

    private static <T> T done(CompletionStage<T> stage)
            throws InterruptedException, ExecutionException, TimeoutException {
        return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private void updates(AddWinsSet set, int at)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        Sample answered = sample(at + " added: until all are answered");
        Sample confirmed = sample(at + " added: until all are certified");
        long certificate = access.probe(0).standing().certificate();
        Duration before = processor();
        for (int round = 0; round < rounds; round++) {
            long begin = System.nanoTime();
            List<Update> made = new ArrayList<>();
            for (int one = 0; one < at; one++) {
                made.add(set.add(Value.of("measured " + at + " " + round + " " + one)));
            }
            for (Update update : made) {
                done(update.answered());
            }
            answered.since(begin);
            for (Update update : made) {
                done(update.confirmed());
            }
            confirmed.since(begin);
        }
        double spent = processor().minus(before).toNanos() / 1e6;
        long meanwhile = access.probe(0).standing().certificate() - certificate;
        certificates.add(new SetCosts.CertificateCost(at, meanwhile, spent / Math.max(1, meanwhile)));
    }

    private Duration processor() {
        return server.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private void pages(AddWinsSet set) throws InterruptedException, ExecutionException, TimeoutException {
        Sample first = sample("first page, proved and verified");
        ReadResult<Set<Value>> page = page(set.firstPage(), first);
        for (int round = 1; round < rounds; round++) {
            page = page(set.firstPage(), first);
        }
        Sample next = sample("next page, proved and verified");
        Optional<CompletionStage<ReadResult<Set<Value>>>> following = set.pageAfter(page);
        for (int turn = 1; turn <= PAGES && following.isPresent(); turn++) {
            page = page(following.get(), next);
            following = turn < PAGES ? set.pageAfter(page) : Optional.empty();
        }
    }

    private ReadResult<Set<Value>> page(CompletionStage<ReadResult<Set<Value>>> asked, Sample sample)
            throws InterruptedException, ExecutionException, TimeoutException {
        long begin = System.nanoTime();
        ReadResult<Set<Value>> page = done(asked);
        sample.since(begin);
        seen.addAll(page.value());
        pageElements.add(page.value().size());
        pageBytes.add(proof(page));
        return page;
    }

    private void elements(AddWinsSet set)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        Sample there = sample("an element that is there, proved and verified");
        Sample absent = sample("an element that is not, proved and verified");
        List<Value> known = List.copyOf(seen);
        for (int round = 0; round < rounds; round++) {
            Value element = known.get(round * STRIDE % known.size());
            if (!has(set, element, there) || has(set, Value.of("nobody added this " + round), absent)) {
                throw new IOException("the servers prove what is not so of " + key);
            }
        }
    }

    private boolean has(AddWinsSet set, Value element, Sample sample)
            throws InterruptedException, ExecutionException, TimeoutException {
        long begin = System.nanoTime();
        ReadResult<Boolean> read = done(set.contains(element, ReadLevel.CERTIFIED));
        sample.since(begin);
        elementBytes.add(proof(read));
        return read.value();
    }
}
