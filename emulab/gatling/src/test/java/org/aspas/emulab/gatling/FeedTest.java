package org.aspas.emulab.gatling;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.aspas.client.core.CallId;
import org.aspas.client.core.Event;
import org.aspas.crdt.type.DataTypes;
import org.aspas.emulab.gatling.FeedOperation.Action;
import org.aspas.emulab.gatling.FeedScript.Feed;
import org.aspas.emulab.gatling.FeedScript.Feed.HotPosts;
import org.junit.jupiter.api.Test;

class FeedTest {
    private static final int DRAWS = 100_000;

    private final SplittableRandom random = new SplittableRandom(7);

    @Test
    void actionsComeInTheirShares() {
        Map<Action, Integer> counts = new EnumMap<>(Action.class);
        for (int i = 0; i < DRAWS; i++) {
            counts.merge(FeedMix.FEED.next(random), 1, Integer::sum);
        }
        assertThat(counts.get(Action.VIEW)).isBetween(24_300, 25_700);
        assertThat(counts.get(Action.FOLLOW)).isBetween(1_700, 2_300);
        assertThat(counts.keySet()).containsExactlyInAnyOrder(Action.values());
        assertThat(FeedMix.UPDATE.has(false)).isFalse();
        assertThat(FeedMix.A.has(false)).isTrue();
    }

    @Test
    void theHottestOfAThousandPostsHasAnEighthOfTheRequests() {
        HotPosts posts = new HotPosts(1000);
        int[] counts = new int[1000];
        for (int i = 0; i < DRAWS; i++) {
            counts[posts.next(random)]++;
        }
        // 1 / (1 + 2^-0.99 + ... + 1000^-0.99) = 0.1293
        assertThat(counts[0]).isBetween(12_500, 13_400);
        assertThat(counts[1]).isBetween(6_100, 6_900);
        assertThat(new HotPosts(1).next(random)).isZero();
    }

    @Test
    void commentsHaveTheLengthAskedForAndAreFewForAPost() {
        Feed feed = new Feed(FeedMix.FEED, 1, 4096);
        Set<String> comments = new TreeSet<>();
        for (int i = 0; i < DRAWS; i++) {
            FeedOperation operation = feed.next(random);
            if (operation.action() == Action.COMMENT) {
                comments.add(operation.element());
            }
        }
        assertThat(comments).hasSize(16); // 64 KiB
        assertThat(new Feed(FeedMix.FEED, 1, 128).comments()).isEqualTo(100);
        assertThat(comments)
                .allSatisfy(comment ->
                        assertThat(comment.getBytes(StandardCharsets.UTF_8)).hasSize(4096));
    }

    @Test
    void oneOperationIsTheSameOverBothTransports() throws IOException {
        FeedOperation comment = new FeedOperation(Action.COMMENT, Action.COMMENT.key(3), "well said");
        assertThat(comment.path()).isEqualTo("/v1/sets/feed%2Fcomments%2F3/add");
        JsonNode body = new ObjectMapper().readTree(comment.body());
        assertThat(body.get("element").textValue()).isEqualTo("well said");
        Event.Update update = (Event.Update) comment.call(new CallId(1));
        assertThat(update.key()).isEqualTo("feed/comments/3");
        assertThat(update.type()).isEqualTo(DataTypes.AW_SET.name());
        assertThat(DataTypes.AW_SET.check(update.operation())).isEmpty();

        FeedOperation read = new FeedOperation(Action.READ_LIKES, Action.READ_LIKES.key(3), "");
        assertThat(read.path()).isEqualTo("/v1/counters/feed%2Flikes%2F3");
        assertThat(((Event.ReadAsked) read.call(new CallId(2))).key()).isEqualTo("feed/likes/3");

        FeedOperation like = new FeedOperation(Action.LIKE, Action.LIKE.key(3), "");
        assertThat(like.path()).isEqualTo("/v1/counters/feed%2Flikes%2F3/increment");
        assertThat(DataTypes.PN_COUNTER.check(((Event.Update) like.call(new CallId(3))).operation()))
                .isEmpty();
    }
}
