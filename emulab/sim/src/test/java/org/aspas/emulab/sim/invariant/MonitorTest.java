package org.aspas.emulab.sim.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.aspas.certify.identity.Quorums;
import org.junit.jupiter.api.Test;

class MonitorTest {
    private static final class Recorder extends Invariant {
        Recorder(String name, boolean crashes) {
            super(name);
            on(Fact.Blamed.class, fact -> violated("blamed " + fact.server()));
            if (crashes) {
                on(Fact.Crashed.class, fact -> violated("crashed " + fact.server()));
                on(Fact.Crashed.class, fact -> violated("and once more"));
            }
        }
    }

    @Test
    void aFactComesToThoseThatNamedItsTypeInTheirOrder() {
        Monitor monitor = new Monitor(List.of(new Recorder("A", false), new Recorder("B", true)), () -> 5);
        monitor.check(new Fact.OrderBroken(1));
        assertThat(monitor.violated()).isFalse();
        monitor.check(new Fact.Crashed(2));
        monitor.check(new Fact.Blamed(0, 3));
        assertThat(monitor.violations())
                .containsExactly(
                        new Violation("B", 5, "crashed 2"),
                        new Violation("B", 5, "and once more"),
                        new Violation("A", 5, "blamed 3"),
                        new Violation("B", 5, "blamed 3"));
    }

    @Test
    void someGuaranteeIsAboutEveryFact() {
        Participants participants = new Participants(
                new Quorums(1, 1), Set.of(), Set.of(), 1, Map.of(0, 0), true, Set.of(), Set.of(), Set.of());
        Reference reference = new Reference(participants, any -> Optional.empty(), any -> List.of());
        Stream<Class<?>> named = Guarantees.of(participants, any -> true, reference, new UpdateAudit()).stream()
                .flatMap(one -> one.checks().stream())
                .map(Invariant.Check::fact);
        assertThat(named).contains(Fact.class.getPermittedSubclasses());
    }
}
