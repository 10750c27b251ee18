package org.aspas.emulab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class FeedWorkloadTest {
    private static final int OPERATIONS = 20_000;

    private static List<ChosenOperation> operations(FeedWorkload feed, long seed) {
        OperationSource source = feed.source(1, seed);
        List<ChosenOperation> chosen = new ArrayList<>();
        for (int operation = 0; operation < OPERATIONS; operation++) {
            chosen.add(source.next(0));
        }
        return chosen;
    }

    private static double percent(List<ChosenOperation> chosen, Predicate<ChosenOperation> which) {
        return 100.0 * chosen.stream().filter(which).count() / chosen.size();
    }

    @Test
    void theMixIsThatOfAFeed() {
        List<ChosenOperation> chosen = operations(new FeedWorkload(1000, 128), 7);
        assertThat(percent(chosen, one -> one.kind() == OperationKind.READ)).isBetween(58.0, 62.0);
        assertThat(percent(chosen, one -> one.key().startsWith("feed/views/"))).isBetween(23.5, 26.5);
        assertThat(percent(
                        chosen,
                        one -> one.kind() == OperationKind.UPDATE && one.key().startsWith("feed/likes/")))
                .isBetween(9.0, 11.0);
        assertThat(percent(chosen, one -> one.key().startsWith("feed/follows/")))
                .isBetween(1.5, 2.5);
    }

    @Test
    void aFewPostsAreHotAndTheSeedDecidesWhatIsChosen() {
        List<ChosenOperation> chosen = operations(new FeedWorkload(1000, 128), 7);
        assertThat(percent(chosen, one -> one.key().equals("feed/views/0"))).isBetween(2.5, 4.5);
        assertThat(percent(chosen, one -> one.key().equals("feed/views/999"))).isLessThan(0.1);
        assertThat(operations(new FeedWorkload(1000, 128), 7)).isEqualTo(chosen);
        assertThat(operations(new FeedWorkload(1000, 128), 8)).isNotEqualTo(chosen);
    }

    @Test
    void commentsHaveTheirLengthAndSetsStayBounded() {
        List<String> comments = operations(new FeedWorkload(2, 4096), 7).stream()
                .map(ChosenOperation::element)
                .filter(element -> element.startsWith("c"))
                .toList();
        assertThat(comments).isNotEmpty().allMatch(comment -> comment.length() == 4096);
        assertThat(comments.stream().distinct()).hasSize(16);
    }

    @Test
    void benchIsToldOfItAsOfAYcsbWorkload() throws Exception {
        YcsbProperties read = YcsbProperties.read(
                WorkloadMix.FEED, List.of(), Map.of("fieldlength", "4096", "recordcount", "50", "readproportion", "1"));
        assertThat(read.workload(ObjectKind.COUNTERS)).isEqualTo(new FeedWorkload(50, 4096));
        assertThat(read.ignored(ObjectKind.COUNTERS)).containsExactly("ignored: readproportion=1 has no effect here");
    }
}
