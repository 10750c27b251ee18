package org.aspas.emulab.experiments.scale;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
import org.aspas.crdt.value.Value;
import org.aspas.emulab.lab.cluster.AppserverAccess;

/**
 * What a large set costs: updates of one element and of many, until they are answered and until a certificate that the client
 * verified covers them; one element proved, and pages. A client of its own asks appserver 0. For one thread.
 */
public final class ServedSet {
    private static final long PATIENCE_SECONDS = 60;
    private static final int MANY = 100;
    private static final int PAGES = 20;

    private final AppserverAccess access;
    private final String key;
    private final int rounds;
    private final ProcessHandle server;
    private final List<String> lines = new ArrayList<>();

    /**
     * A set that servers hold.
     *
     * @param key its key
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
     * Measures.
     *
     * @return lines for people
     * @throws IOException when a server cannot be asked, or an answer does not come in time
     */
    public List<String> measure() throws IOException, InterruptedException {
        try (AspasClient client = access.client(0, ClientOptions.defaults())) {
            done(client.ready());
            AddWinsSet set = client.set(key);
            updates(set, 1);
            updates(set, MANY);
            pages(set);
        } catch (ExecutionException | TimeoutException failed) {
            throw new IOException("the servers do not answer for " + key + ": " + failed, failed);
        }
        return List.copyOf(lines);
    }

    private static <T> T done(CompletionStage<T> stage)
            throws InterruptedException, ExecutionException, TimeoutException {
        return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private void updates(AddWinsSet set, int at)
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        Sample answered = new Sample(at + " added: until all are answered");
        Sample confirmed = new Sample(at + " added: until all are certified");
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
        long certificates = access.probe(0).standing().certificate() - certificate;
        lines.add(answered.line());
        lines.add(confirmed.line());
        lines.add(String.format(
                Locale.ROOT,
                "  %-44s %13.2f ms  (%d certificates)",
                at + " added: processor of appserver-0 for a certificate",
                spent / Math.max(1, certificates),
                certificates));
    }

    private Duration processor() {
        return server.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private void pages(AddWinsSet set) throws InterruptedException, ExecutionException, TimeoutException {
        Sample first = new Sample("first page, proved and verified");
        Sample next = new Sample("next page, proved and verified");
        Sample there = new Sample("an element that is there, proved and verified");
        Sample absent = new Sample("an element that is not, proved and verified");
        long elements = 0;
        long pages = 0;
        List<Value> seen = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            long begin = System.nanoTime();
            ReadResult<Set<Value>> page = done(set.firstPage());
            first.since(begin);
            seen.addAll(page.value());
            elements += page.value().size();
            pages++;
        }
        ReadResult<Set<Value>> page = done(set.firstPage());
        for (int turn = 0; turn < PAGES; turn++) {
            long begin = System.nanoTime();
            Optional<CompletionStage<ReadResult<Set<Value>>>> following = set.pageAfter(page);
            if (following.isEmpty()) {
                break;
            }
            page = done(following.get());
            next.since(begin);
            elements += page.value().size();
            pages++;
        }
        for (int round = 0; round < rounds; round++) {
            long begin = System.nanoTime();
            boolean found = done(set.contains(seen.get(round * 7 % seen.size()), ReadLevel.CERTIFIED))
                    .value();
            there.since(begin);
            begin = System.nanoTime();
            boolean strange = done(set.contains("nobody added this " + round, ReadLevel.CERTIFIED))
                    .value();
            absent.since(begin);
            if (!found || strange) {
                throw new IllegalStateException("the servers prove what is not so of " + key);
            }
        }
        lines.add(first.line());
        lines.add(next.line());
        lines.add(String.format(Locale.ROOT, "  %-44s %13.1f", "elements of a page, mean", elements / (double) pages));
        lines.add(there.line());
        lines.add(absent.line());
    }
}
