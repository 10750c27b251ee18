package org.aspas.emulab.experiments.run;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The processor time of this process by thread, since a moment. What the threads of the JVM itself spend, the collector's
 * and the compilers', is nobody's: {@link #runtimeShare} says how much it is.
 */
final class ProcessorTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private record Spent(String name, long nanos) {}

    private final Map<Long, Spent> begun = threads();
    private final long process = PROCESS.getProcessCpuTime();

    private static Map<Long, Spent> threads() {
        Map<Long, Spent> threads = new TreeMap<>();
        for (ThreadInfo info : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (info != null) {
                long nanos = THREADS.getThreadCpuTime(info.getThreadId());
                threads.put(info.getThreadId(), new Spent(info.getThreadName(), Math.max(0, nanos)));
            }
        }
        return threads;
    }

    /** What threads of such names have spent, in nanoseconds. */
    double of(Predicate<String> names) {
        double sum = 0;
        for (Map.Entry<Long, Spent> now : threads().entrySet()) {
            if (names.test(now.getValue().name())) {
                Spent before = begun.get(now.getKey());
                sum += now.getValue().nanos() - (before == null ? 0 : before.nanos());
            }
        }
        return sum;
    }

    /** What the whole process has spent over what its Java threads have: 1 or more. */
    double runtimeShare() {
        double java = of(any -> true);
        return java <= 0 ? 1 : Math.max(1, (PROCESS.getProcessCpuTime() - process) / java);
    }
}
