package org.aspas.emulab.sim.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.aspas.emulab.sim.adversary.FieldCoverage;
import org.aspas.emulab.sim.node.Figures;
import org.junit.jupiter.api.Test;

class CampaignReportTest {
    private static List<String> judged(int runs, RunResult.Accounting accounting) {
        RunResult result = new RunResult(
                Settings.of(1).withRoles(List.of("silent")),
                "hash",
                List.of(),
                List.of(),
                0,
                List.of(),
                1,
                0,
                0,
                0,
                0,
                0,
                new Figures(),
                new FieldCoverage(),
                accounting,
                RunResult.Stores.NONE,
                RunResult.Tags.NONE,
                List.of(),
                null);
        return new CampaignReport(Collections.nCopies(runs, result), 1).roleViolations();
    }

    private static RunResult.Accounting accounting(long confirmed, long reported, OptionalLong withoutRoles) {
        return new RunResult.Accounting(confirmed + reported, confirmed, reported, 0, 0, 0, 0, withoutRoles);
    }

    @Test
    void aRoleThatKeepsMoreThanAFifthFromBeingConfirmedViolates() {
        assertThat(judged(30, accounting(80, 0, OptionalLong.of(100)))).isEmpty();
        assertThat(judged(30, accounting(79, 0, OptionalLong.of(100))))
                .singleElement()
                .asString()
                .startsWith("silent:");
    }

    @Test
    void aRoleOfWhichMoreThanATwentiethIsReportedViolates() {
        assertThat(judged(30, accounting(95, 5, OptionalLong.empty()))).isEmpty();
        assertThat(judged(30, accounting(94, 6, OptionalLong.empty())))
                .singleElement()
                .asString()
                .startsWith("silent:");
    }

    @Test
    void fewRunsAreNotJudged() {
        assertThat(judged(29, accounting(1, 99, OptionalLong.of(100)))).isEmpty();
    }
}
