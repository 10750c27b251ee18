package org.aspas.emulab.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Compares the values that servers have with what the clients were answered: a counter is the sum of its acknowledged
 * increments, a set has the elements acknowledged. Collects what is otherwise. For one thread.
 */
public final class LedgerComparison {
    private static final int AT_ONCE = 100;

    private final Ledger ledger;
    private final Duration patience;
    private final List<String> differences = new ArrayList<>();
    private long missing;
    private long lost;

    /**
     * A comparison with nothing compared so far.
     *
     * @param patience how long a server may take to answer one question
     */
    public LedgerComparison(Ledger ledger, Duration patience) {
        this.ledger = ledger;
        this.patience = patience;
    }

    /**
     * Asks a server for every object of the ledger.
     *
     * @param server its name for people
     * @return whether it answered everything, rightly or not
     */
    public boolean compare(
            String server,
            Function<String, CompletionStage<Long>> counter,
            Function<String, CompletionStage<Set<String>>> set)
            throws InterruptedException {
        missing = 0;
        boolean counters = ask(server, ledger.counters(), counter);
        boolean sets = ask(server, ledger.sets(), set);
        lost = Math.max(lost, missing);
        return counters && sets;
    }

    private <T> boolean ask(String server, Map<String, T> expected, Function<String, CompletionStage<T>> read)
            throws InterruptedException {
        List<String> keys = List.copyOf(expected.keySet());
        for (int from = 0; from < keys.size(); from += AT_ONCE) {
            Map<String, CompletionStage<T>> asked = new LinkedHashMap<>();
            keys.subList(from, Math.min(keys.size(), from + AT_ONCE)).forEach(key -> asked.put(key, read.apply(key)));
            for (Map.Entry<String, CompletionStage<T>> question : asked.entrySet()) {
                T found = await(server, question.getKey(), question.getValue());
                if (found == null) {
                    return false;
                }
                T wanted = expected.get(question.getKey());
                if (wanted != null && !found.equals(wanted)) {
                    missing += missing(wanted, found);
                    differs(server + ": " + question.getKey() + " is " + shortened(found)
                            + ", but clients were answered " + shortened(wanted));
                }
            }
        }
        return true;
    }

    /** How much of what clients were answered is not there: the sum of increments, or elements. */
    private static long missing(Object wanted, Object found) {
        if (wanted instanceof Long sum && found instanceof Long value) {
            return Math.max(0, sum - value);
        }
        Set<Object> elements = new HashSet<>((Set<?>) wanted);
        elements.removeAll((Set<?>) found);
        return elements.size();
    }

    private static String shortened(Object value) {
        return value instanceof Set<?> set ? set.size() + " elements " + set : String.valueOf(value);
    }

    /** Waits for an answer; null, and a difference, when it fails or does not come in time. */
    public <T> @Nullable T await(String server, String what, CompletionStage<T> answer) throws InterruptedException {
        try {
            return answer.toCompletableFuture().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            differs(server + ": " + what + ": " + failed.getCause());
        } catch (TimeoutException late) {
            differs(server + ": " + what + ": no answer within " + patience.toSeconds() + " s");
        }
        return null;
    }

    public void differs(String sentence) {
        differences.add(sentence);
    }

    /**
     * What came out.
     *
     * @param servers how many correct servers there are
     * @param asked how many of them answered everything
     * @param certificate the certificate that they agree on; 0 for none
     */
    public Convergence result(int servers, int asked, long certificate) {
        int objects = ledger.counters().size() + ledger.sets().size();
        return new Convergence(servers, asked, certificate, objects, lost, differences);
    }
}
