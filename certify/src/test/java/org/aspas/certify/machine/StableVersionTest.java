package org.aspas.certify.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.aspas.certify.identity.Quorums;
import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/** LV against its definition: the largest number that 2f+1 servers report at least. */
class StableVersionTest {
    private static long specified(Quorums quorums, List<VersionVector> reports, int origin, long floor) {
        long best = floor;
        for (long candidate = 0; candidate <= 12; candidate++) {
            long wanted = candidate;
            long reporters =
                    reports.stream().filter(one -> one.get(origin) >= wanted).count();
            if (reporters >= quorums.appserverQuorum() && candidate > best) {
                best = candidate;
            }
        }
        return best;
    }

    private static VersionVector random(Random random, int size) {
        long[] components = new long[size];
        for (int i = 0; i < size; i++) {
            components[i] = random.nextInt(13);
        }
        return VersionVector.of(components);
    }

    @Test
    void equalsTheDefinitionOnRandomReports() {
        for (long seed = 0; seed < 1500; seed++) {
            Random random = new Random(seed);
            Quorums quorums = new Quorums(1 + random.nextInt(3), 1);
            int servers = quorums.appservers();
            List<VersionVector> reports = new ArrayList<>();
            for (int i = random.nextInt(servers + 1); i > 0; i--) {
                reports.add(random(random, servers));
            }
            VersionVector floor = random.nextBoolean() ? VersionVector.zero(servers) : random(random, servers);
            VersionVector version = StableVersion.of(quorums, reports, floor);
            for (int origin = 0; origin < servers; origin++) {
                assertThat(version.get(origin))
                        .as("seed %d origin %d", seed, origin)
                        .isEqualTo(specified(quorums, reports, origin, floor.get(origin)));
            }
        }
    }

    @Test
    void oneSilentServerDoesNotStopItAndOneLiarDoesNotPushIt() {
        Quorums quorums = new Quorums(1, 1);
        VersionVector honest = VersionVector.of(5, 5, 5, 5);
        VersionVector zero = VersionVector.zero(4);
        assertThat(StableVersion.of(quorums, List.of(honest, honest, honest), zero))
                .isEqualTo(honest);
        VersionVector high = VersionVector.of(99, 99, 99, Long.MAX_VALUE);
        assertThat(StableVersion.of(quorums, List.of(honest, honest, honest, high), zero))
                .isEqualTo(honest);
        assertThat(StableVersion.of(quorums, List.of(honest, honest, high), zero))
                .isEqualTo(honest);
    }
}
