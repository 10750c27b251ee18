package org.aspas.emulab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.workload.WorkloadDriver.OpenLoop;
import org.junit.jupiter.api.Test;

/** The open loop in virtual time: nothing here waits. */
class OpenLoopTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /** Time that goes only when the loop sleeps; answers that are due meanwhile come at their moments. */
    private static final class VirtualTime implements LoadClock {
        private record Due(long at, CompletableFuture<Long> answer) {}

        private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::at));
        private final long lateFrom;
        private final long lateUntil;
        private long now;

        /** A clock whose sleeper does not wake up in between. */
        VirtualTime(long lateFrom, long lateUntil) {
            this.lateFrom = lateFrom;
            this.lateUntil = lateUntil;
        }

        CompletionStage<Long> answerAt(long at) {
            CompletableFuture<Long> answer = new CompletableFuture<>();
            due.add(new Due(at, answer));
            return answer;
        }

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void sleepUntil(long nanos) {
            advance(nanos >= lateFrom && nanos < lateUntil ? lateUntil : nanos);
        }

        void advance(long to) {
            while (!due.isEmpty() && due.peek().at() <= to) {
                Due next = due.remove();
                now = Math.max(now, next.at());
                next.answer().complete(0L);
            }
            now = Math.max(now, to);
        }
    }

    /** A store that answers a read after a millisecond, but nothing while it stalls. */
    private static final class StallingSession implements StoreSession {
        private final VirtualTime time;
        private final long stallFrom;
        private final long stallUntil;

        StallingSession(VirtualTime time, long stallFrom, long stallUntil) {
            this.time = time;
            this.stallFrom = stallFrom;
            this.stallUntil = stallUntil;
        }

        @Override
        public CompletionStage<Long> counter(String key) {
            long answer = time.nanos() + MILLI;
            return time.answerAt(answer >= stallFrom && answer < stallUntil ? stallUntil : answer);
        }

        @Override
        public Write increment(String key, long amount) {
            throw new UnsupportedOperationException("only reads here");
        }

        @Override
        public Write add(String key, String element) {
            throw new UnsupportedOperationException("only reads here");
        }

        @Override
        public CompletionStage<Set<String>> set(String key) {
            throw new UnsupportedOperationException("only reads here");
        }

        @Override
        public long verificationFailures() {
            return 0;
        }

        @Override
        public CompletionStage<?> close() {
            return CompletableFuture.completedFuture("closed");
        }
    }

    private static Measures second(VirtualTime time, long stallFrom, long stallUntil, Arrivals arrivals)
            throws InterruptedException {
        Measures measures = new Measures(0, TimeUnit.SECONDS.toNanos(1));
        StallingSession session = new StallingSession(time, stallFrom, stallUntil);
        OperationRunner client =
                new OperationRunner(0, session, ToleranceClass.TAU_UNBOUNDED, measures, new Ledger(), time);
        OperationSource reads = number -> new ChosenOperation(OperationKind.READ, ObjectKind.COUNTERS, "k", "");
        OpenLoop loop = new OpenLoop(
                List.of(client, client),
                reads,
                new LoadModel.Open(1000, arrivals),
                7,
                new OperationBudget(TimeUnit.SECONDS.toNanos(1), 0),
                time,
                measures.generator());
        loop.begin();
        time.advance(TimeUnit.SECONDS.toNanos(10));
        loop.awaitEnds();
        return measures;
    }

    private static Histogram reads(Measures measures) {
        return measures.latency(ToleranceClass.TAU_UNBOUNDED, OperationKind.READ);
    }

    @Test
    void aStallIsInTheLatencyOfEveryOperationThatShouldHaveBegunMeanwhile() throws Exception {
        Measures measures = second(new VirtualTime(0, 0), 200 * MILLI, 700 * MILLI, Arrivals.UNIFORM);
        Histogram latency = reads(measures);
        assertThat(latency.getTotalCount()).isEqualTo(999);
        // A loop that waits for answers would have seen one slow read; here the 500 have from 500 ms down to 1 ms.
        assertThat(latency.getCountBetweenValues(250_000, 600_000)).isBetween(249L, 253L);
        assertThat(latency.getMaxValue()).isBetween(499_000L, 502_000L);
        assertThat(latency.getValueAtPercentile(50)).isBetween(900L, 2_000L);
        assertThat(measures.generator().mostOpen()).isBetween(499, 502);
        assertThat(measures.generator().late().getMaxValue()).isZero();
        assertThat(measures.generator().little()).isEqualTo(1.0);
    }

    @Test
    void whatTheGeneratorBeginsLateIsInTheLatencyAndInTheLittleCheck() throws Exception {
        Measures measures = second(new VirtualTime(100 * MILLI, 600 * MILLI), 0, 0, Arrivals.UNIFORM);
        assertThat(reads(measures).getCountBetweenValues(250_000, 600_000)).isBetween(249L, 253L);
        assertThat(measures.generator().late().getMaxValue()).isBetween(499_000L, 501_000L);
        assertThat(measures.generator().little()).isLessThan(0.02);
    }

    @Test
    void poissonArrivalsHaveTheRateAndRepeatWithTheSeed() throws Exception {
        Measures one = second(new VirtualTime(0, 0), 0, 0, Arrivals.POISSON);
        Measures other = second(new VirtualTime(0, 0), 0, 0, Arrivals.POISSON);
        assertThat(one.operations()).isBetween(900L, 1100L).isEqualTo(other.operations());
        assertThat(one.generator().mostOpen())
                .isGreaterThan(1)
                .isEqualTo(other.generator().mostOpen());
    }

    @Test
    void aSystemThatNeverAnswersEndsTheRun() throws Exception {
        VirtualTime time = new VirtualTime(0, 0);
        Measures measures = new Measures(0, TimeUnit.SECONDS.toNanos(1));
        OperationRunner client = new OperationRunner(
                0,
                new StallingSession(time, 0, Long.MAX_VALUE),
                ToleranceClass.TAU_UNBOUNDED,
                measures,
                new Ledger(),
                time);
        new OpenLoop(
                        List.of(client),
                        number -> new ChosenOperation(OperationKind.READ, ObjectKind.COUNTERS, "k", ""),
                        new LoadModel.Open(1_000_000, Arrivals.UNIFORM),
                        7,
                        new OperationBudget(TimeUnit.SECONDS.toNanos(60), 0),
                        time,
                        measures.generator())
                .begin();
        assertThat(measures.generator().overload())
                .hasValueSatisfying(why -> assertThat(why).contains(String.valueOf(OpenLoop.MOST_OPEN)));
        assertThat(measures.generator().openAtEnd()).isEqualTo(OpenLoop.MOST_OPEN);
    }
}
